import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompanyDetail } from '#web/api/service.ts'
import { previousValues, withChanges } from '#web/editing/record-changes.ts'
import { type EditedField, formatCustomValue, toText, toValue, withLabel } from '#web/fields/custom-values.ts'
import { isPersonMatching, nameFromEmail, personOptions } from '#web/fields/people.ts'
import { cleanTags, isSameTags, shownTags } from '#web/fields/tags.ts'
import { readableQuote, scoredBy } from '#web/screens/company/score-details.ts'

const options = [
  { id: 'opt_1', label: 'Winter' },
  { id: 'opt_2', label: 'Summer' },
]
const field = (type: EditedField['type']): EditedField => ({
  key: 'batch',
  label: 'Batch',
  type,
  options,
  currency: type === 'money' ? 'USD' : null,
})

test('a custom value of every type survives its editor unchanged', () => {
  const values = {
    text: 'Seed, then A',
    long_text: 'Two\nlines',
    number: -1.5,
    money: 1_250_000,
    date: '2026-03-31',
    boolean: false,
    select: 'opt_1',
    multi_select: ['opt_1', 'opt_2'],
    url: 'https://example.com/a,b',
    email: 'ada@example.com',
    user: 'ada@example.com',
  } satisfies Record<EditedField['type'], unknown>
  for (const [type, value] of Object.entries(values))
    assert.deepEqual(toValue(field(type as EditedField['type']), toText(value)), value, type)
  assert.equal(toValue(field('text'), '  '), null)
  assert.equal(toText(undefined), '')
})

test('text of the wrong type is sent unchanged, so that the service names the field', () => {
  assert.equal(toValue(field('number'), '12 apples'), '12 apples')
  assert.equal(toValue(field('boolean'), 'maybe'), 'maybe')
  assert.equal(toValue(field('url'), 'example.com'), 'https://example.com')
})

test('custom values are shown by their labels and in their currency', () => {
  assert.equal(formatCustomValue(field('select'), 'opt_2'), 'Summer')
  assert.equal(formatCustomValue(field('multi_select'), ['opt_1', 'opt_gone']), 'Winter, opt_gone')
  assert.equal(formatCustomValue(field('boolean'), false), 'No')
  assert.match(formatCustomValue(field('money'), 1500), /(?:\$|USD).*1.500/)
  assert.match(formatCustomValue(field('date'), '2026-03-31'), /2026/)
  assert.equal(formatCustomValue(field('date'), 'soon'), 'soon')
  assert.equal(formatCustomValue(field('text'), undefined), '')
})

test('messages of the service name the field by its label', () => {
  assert.equal(
    withLabel(field('date'), 'custom.batch must be a date such as 2026-03-31 or null, not "soon".'),
    'Batch must be a date such as 2026-03-31, not "soon".',
  )
  assert.equal(withLabel(field('text'), 'custom.batch (Batch) is required.'), 'Batch is required.')
  assert.equal(withLabel(field('text'), 'custom.batch_2 is archived.'), 'custom.batch_2 is archived.')
})

test('tags are trimmed, and each is kept once whatever its case', () => {
  assert.deepEqual(cleanTags([' AI ', 'ai', 'Deep   tech', '']), ['AI', 'Deep tech'])
  assert.ok(isSameTags(['a', 'b'], ['b', 'a']))
  assert.ok(!isSameTags(['a'], ['a', 'b']))
  assert.deepEqual(shownTags(['a', 'b', 'c', 'd'], 3), { shown: ['a', 'b', 'c'], hidden: 1 })
})

test('people are listed by name, the signed-in user first, without disabled users', () => {
  const user = (email: string, name: string | null, disabled = false) =>
    ({ email, name, disabled }) as Parameters<typeof personOptions>[0][number]
  const users = [user('zoe@x.org', 'Zoe'), user('bo.li@x.org', null), user('gone@x.org', 'Gone', true)]
  const all = [...users, user('me@x.org', 'Mia')]
  assert.deepEqual(
    personOptions(all, 'me@x.org', null).map(({ label }) => label),
    ['Me (Mia)', 'Bo Li', 'Zoe'],
  )
  assert.ok(personOptions(all, 'me@x.org', 'gone@x.org').some(({ label }) => label === 'Gone'))
  assert.equal(nameFromEmail('ada.beck@example.com'), 'Ada Beck')
  assert.deepEqual(
    personOptions(all, 'me@x.org', null)
      .filter((person) => isPersonMatching(person, 'bo.li'))
      .map(({ label }) => label),
    ['Bo Li'],
  )
})

test('quoted lines of a record are read by their labels', () => {
  assert.deepEqual(readableQuote('employee_count: 84'), { label: 'Employees', text: '84' })
  assert.deepEqual(readableQuote('executives: name: Ada Weaver'), {
    label: 'Executives',
    text: 'Ada Weaver',
  })
  assert.deepEqual(readableQuote('note: sells looms'), { label: null, text: 'note: sells looms' })
  assert.match(scoredBy('builtin-heuristic'), /^Demo score/)
})

test('a change of custom fields keeps the others, and its reversal restores them', () => {
  const before = {
    status: 'active',
    hq_city: 'Oslo',
    custom: { a: 1, b: 2 },
  } as unknown as CompanyDetail['company']
  const change = { hq_city: null, custom: { b: null, c: 3 } }
  const after = withChanges(before, change)
  assert.deepEqual([after.hq_city, after.custom], [null, { a: 1, c: 3 }])
  assert.deepEqual(withChanges(after, previousValues(before, change)), before)
})

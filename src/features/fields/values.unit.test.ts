import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInput } from '#src/platform/errors.ts'
import { freeKey } from '#src/platform/schema/label-key.ts'
import { patchedNames, withCustomNames, withCustomValues } from './changes.ts'
import { withIds, withNewOptions } from './options.ts'
import type { CustomField, CustomFieldType } from './schema.ts'
import { changeCustom, isValidValue, newCustom, parseCustomValue } from './values.ts'

const field = (type: CustomFieldType, others: Partial<CustomField> = {}): CustomField => ({
  id: `fld_${type}`,
  entity: 'company',
  key: type,
  label: type,
  type,
  options: [
    { id: 'opt_2', label: 'Late stage' },
    { id: 'opt_1', label: 'Seed' },
  ],
  currency: type === 'money' ? 'EUR' : null,
  required: false,
  archived: false,
  updated_at: '2026-03-02T09:30:00.000Z',
  ...others,
})

const mapOf = (...fields: CustomField[]) => new Map(fields.map((each) => [each.key, each]))

const ACCEPTED: [CustomFieldType, unknown, unknown][] = [
  ['text', '  Ångström ', 'Ångström'],
  ['text', 'x'.repeat(500), 'x'.repeat(500)],
  ['text', ' \n', null],
  ['long_text', 'one\ntwo', 'one\ntwo'],
  ['number', 0, 0],
  ['number', -1e15, -1e15],
  ['number', 0.1, 0.1],
  ['number', '', null],
  ['money', 12.5, 12.5],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '0001-01-01', '0001-01-01'],
  ['date', '', null],
  ['boolean', false, false],
  ['select', 'opt_1', 'opt_1'],
  ['select', ' seed ', 'opt_1'],
  ['multi_select', ['Seed', 'opt_1', 'late stage'], ['opt_1', 'opt_2']],
  ['multi_select', [], null],
  ['url', 'https://example.com/a?b=c', 'https://example.com/a?b=c'],
  ['email', 'Ada@Example.com', 'Ada@Example.com'],
  ['user', 'Ada@Example.com', 'ada@example.com'],
]

test('each type accepts its values and stores them in one form', () => {
  for (const [type, input, stored] of ACCEPTED) {
    assert.deepEqual(parseCustomValue(field(type), input), stored, `${type} ${JSON.stringify(input)}`)
    if (stored !== null) assert.ok(isValidValue(field(type), stored), `${type} is stable`)
  }
})

test('a number is never stored as negative zero', () => {
  assert.ok(Object.is(parseCustomValue(field('number'), -0), 0))
})

const REFUSED: [CustomFieldType, unknown][] = [
  ['text', 1],
  ['text', 'x'.repeat(501)],
  ['text', ['a']],
  ['long_text', 'x'.repeat(20_001)],
  ['number', '12'],
  ['number', 1.1e15],
  ['number', Number.NaN],
  ['number', Number.POSITIVE_INFINITY],
  ['number', { amount: 1 }],
  ['money', '€5'],
  ['date', '2026-02-30'],
  ['date', '2026-2-3'],
  ['date', '2026-03-31T00:00:00Z'],
  ['date', '0000-01-01'],
  ['date', 20260331],
  ['boolean', 'true'],
  ['boolean', 1],
  ['select', 'Growth'],
  ['select', ['opt_1']],
  ['multi_select', 'Seed'],
  ['multi_select', ['Seed', 'Growth']],
  ['multi_select', ['']],
  ['multi_select', [null]],
  ['url', 'example.com'],
  ['url', 'javascript:alert(1)'],
  ['url', `https://example.com/${'ä'.repeat(1000)}`],
  ['email', 'ada'],
  ['user', 'ada at example.com'],
]

test('each type refuses other values, and the error names the field, the value, and what is allowed', () => {
  for (const [type, value] of REFUSED)
    assert.throws(
      () => parseCustomValue(field(type), value),
      (error: Error) => {
        assert.ok(error instanceof InvalidInput, `${type} ${JSON.stringify(value)}`)
        assert.match(
          error.message,
          new RegExp(`^custom\\.${type} must be (a|an|text|true|one|the) .+ or null, not .+\\.$`),
        )
        return true
      },
      `${type} ${JSON.stringify(value)}`,
    )
})

test('a change merges values by key, and null clears one', () => {
  const fields = mapOf(field('text'), field('number'), field('date'))
  const before = { text: 'a', number: 1 }
  assert.deepEqual(changeCustom(fields, before, { number: null, date: '2026-01-01' }), {
    text: 'a',
    date: '2026-01-01',
  })
  assert.deepEqual(before, { text: 'a', number: 1 }, 'the previous values stay')
  assert.deepEqual(changeCustom(fields, before, {}), before)
})

test('unknown and archived fields are refused, unless their value is sent back unchanged', () => {
  const fields = mapOf(field('text', { archived: true }), field('number'))
  assert.throws(
    () => changeCustom(fields, {}, { nope: 1 }),
    /custom\.nope is not a known field\. Known: number\./,
  )
  assert.throws(() => changeCustom(fields, {}, { nope: null }), /custom\.nope is not a known field/)
  assert.throws(() => changeCustom(fields, {}, { text: 'a' }), /custom\.text is archived/)
  const stored = { nope: { a: [1] }, text: 'a' }
  assert.deepEqual(changeCustom(fields, stored, { nope: { a: [1] }, text: 'a', number: 2 }), {
    ...stored,
    number: 2,
  })
  assert.throws(() => changeCustom(fields, stored, { text: 'b' }), /archived/)
})

test('names of object members are not fields', () => {
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const patch = JSON.parse(`{"${key}": {"polluted": true}}`)
    assert.throws(() => changeCustom(mapOf(field('text')), {}, patch), /is not a known field/, key)
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

test('a required field cannot be cleared, and a new record needs it', () => {
  const fields = mapOf(field('text', { required: true, label: 'Region' }))
  assert.throws(() => newCustom(fields, {}), /custom\.text \(Region\) is required/)
  assert.throws(() => newCustom(fields, { text: null }), /is required/)
  assert.throws(() => changeCustom(fields, { text: 'a' }, { text: ' ' }), /is required/)
  assert.deepEqual(newCustom(fields, { text: 'a' }), { text: 'a' })
  assert.deepEqual(newCustom(mapOf(field('text', { required: true, archived: true }))), {})
})

test('the values of a record are at most 64 KB together', () => {
  const fields = mapOf(...['a', 'b', 'c', 'd'].map((key) => field('long_text', { key })))
  const long = 'ä'.repeat(10_000)
  const values = changeCustom(fields, {}, { a: long, b: long, c: long })
  assert.throws(
    () => changeCustom(fields, values, { d: long }),
    /custom must be at most 65536 bytes of JSON, not 8\d+\./,
  )
})

test('options keep their ids, and get one if they are new', () => {
  const { options } = field('select')
  const [renamed, added] = withIds(
    { type: 'select' },
    [{ id: 'opt_1', label: ' Pre-seed ' }, { label: 'New' }],
    options,
  )
  assert.deepEqual(renamed, { id: 'opt_1', label: 'Pre-seed' })
  assert.match(added?.id ?? '', /^opt_/)
  const refused: [object[], RegExp][] = [
    [[{ id: 'opt_9', label: 'x' }], /options\[0\]\.id must be the id of an option/],
    [
      [
        { id: 'opt_1', label: 'x' },
        { id: 'opt_1', label: 'y' },
      ],
      /options\[1\]\.id/,
    ],
    [[{ label: 'Same' }, { label: ' same' }], /options\[1\]\.label must be unique/],
    [[{ label: 'opt_1' }], /must not begin with opt_/],
  ]
  for (const [input, message] of refused)
    assert.throws(() => withIds({ type: 'select' }, input as { label: string }[], options), message)
  assert.throws(() => withIds({ type: 'text' }, [{ label: 'x' }], []), /only for fields of the types select/)
})

test('an import adds options up to the limit', () => {
  const labels = Array.from({ length: 250 }, (_value, n) => `Label ${n}`)
  const grown = withNewOptions(field('select'), ['seed', 'opt_5', 'x'.repeat(101), ...labels])
  assert.equal(grown.options.length, 200)
  assert.deepEqual(
    grown.options.slice(0, 3).map(({ label }) => label),
    ['Late stage', 'Seed', 'Label 0'],
  )
})

test('a key is made from the label', () => {
  assert.equal(freeKey('YC Batch', new Set()), 'yc_batch')
  assert.equal(freeKey('Größe (m²)', new Set()), 'gro_e_m2')
  assert.equal(freeKey('Équipe (2026)', new Set()), 'equipe_2026')
  assert.equal(freeKey('2026 plan', new Set()), 'field_2026_plan')
  assert.equal(freeKey('日本', new Set()), 'field')
  assert.equal(freeKey('Name', new Set(['name', 'name_2'])), 'name_3')
  assert.equal(freeKey('x'.repeat(100), new Set()).length, 56)
})

test('records with values by name and by key turn into each other', () => {
  const record = { id: 'cmp_1', custom: { a: 1, b: [2] } }
  const named = withCustomNames(record)
  assert.deepEqual(named, { id: 'cmp_1', 'custom.a': 1, 'custom.b': [2] })
  assert.deepEqual(withCustomValues(named), record)
  assert.deepEqual(withCustomValues({ 'custom.a': null, 'custom.c': 3 }, record.custom), {
    custom: { b: [2], c: 3 },
  })
  assert.deepEqual(patchedNames({ custom: { a: 1 } }, { name: 'N', custom: { b: 2 } } as object), [
    'name',
    'custom.a',
    'custom.b',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { InvalidInput } from '#src/platform/errors.ts'
import { matches } from '#src/testing/filter-predicate.ts'
import { type FilterField, fieldsByName } from './fields.ts'
import { FIELD_TYPES, type Filter, joinSort, splitSort } from './schema.ts'
import { parseSort, parseSortText } from './sort.ts'
import { parseFilter, parseFilterText } from './tree.ts'

const field = (name: string, type: FilterField['type'], more: object = {}): FilterField =>
  ({ name, label: name, type, sql: sql.ref(name), ...more }) as FilterField

const fields = fieldsByName('parcel', [
  field('name', 'text'),
  field('size', 'number', { sqlType: 'integer' }),
  field('price', 'money'),
  field('day', 'date'),
  field('at', 'timestamp'),
  field('open', 'boolean'),
  field('state', 'select', { normalize: (text: string) => text.toLowerCase() }),
  field('tags', 'multi_select'),
  field('owner', 'user'),
  field('raw', 'json'),
])
const now = new Date('2026-03-31T12:00:00Z')
const parse = (filter: unknown, email: string | null = 'ada@example.com') =>
  parseFilter(filter, fields, { now, email, timeZone: 'UTC' })
const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const isMatch = (filter: Filter, record: Record<string, unknown>) =>
  matches(parse(filter).condition, record, fold)

test('an error names the condition, the problem, and what is allowed', () => {
  const leaf = { field: 'name', op: 'eq', value: 'x' }
  const nested = (levels: number): unknown => (levels === 1 ? leaf : { not: nested(levels - 1) })
  const wrong: [unknown, RegExp][] = [
    [
      { and: [leaf, { field: 'at', op: 'gte', value: 'soon' }] },
      /^filter\.and\[1\]\.value must be a date, not "soon"\./,
    ],
    [{ field: 'day', op: 'eq', value: '2026-02-30' }, /^filter\.value must be a date, not "2026-02-30"/],
    [{ field: 'day', op: 'eq', value: '2026-02-03T10:00:00Z' }, /^filter\.value must be a date/],
    [{ field: 'at', op: 'eq', value: '0001-01-01T00:00:00+14:00' }, /^filter\.value must be a date/],
    [{ field: 'at', op: 'eq', value: '-99999y' }, /^filter\.value must be a date/],
    [
      { or: [{ not: { field: 'size', op: 'lt', value: 3.5 } }] },
      /^filter\.or\[0\]\.not\.value must be a whole number from/,
    ],
    [{ field: 'size', op: 'lt', value: 2 ** 31 }, /^filter\.value must be a whole number/],
    [{ field: 'price', op: 'lt', value: '3' }, /^filter\.value must be a number, not "3"\./],
    [
      { field: 'price', op: 'gt', value: JSON.parse('12345678901234567890') },
      /^filter\.value must be a number, not 12345678901234567000\. Whole numbers may be up to 9007199254740991\./,
    ],
    [
      { field: 'price', op: 'in', value: [1, -(2 ** 53)] },
      /^filter\.value\[1\] must be a number, not -900719/,
    ],
    [{ field: 'price', op: 'between', value: [1] }, /^filter\.value must be an array of two values/],
    [{ field: 'price', op: 'in', value: [1, 'x'] }, /^filter\.value\[1\] must be a number, not "x"\./],
    [{ field: 'price', op: 'in', value: [] }, /^filter\.value must be an array of 1 to 1000 values/],
    [
      { field: 'price', op: 'in', value: Array(1001).fill(1) },
      /^filter\.value must be an array of 1 to 1000/,
    ],
    [{ field: 'open', op: 'eq', value: 1 }, /^filter\.value must be true or false, not 1\./],
    [
      { field: 'open', op: 'lt', value: true },
      /^filter\.op must be one of eq, ne, is_empty, is_not_empty for open, not "lt"/,
    ],
    [{ field: 'name', op: 'eq', value: null }, /^filter\.value must be text .*not null\. Use is_empty/],
    [{ field: 'name', op: 'eq', value: '' }, /^filter\.value must be text of 1 to 2000 characters, not ""/],
    [{ field: 'name', op: 'eq', value: 'x'.repeat(2001) }, /^filter\.value must be text of 1 to 2000/],
    [{ field: 'name', op: 'eq', value: 'a\0' }, /^filter\.value must be text/],
    [{ field: 'name', op: 'eq', value: '\ud800' }, /^filter\.value must be text/],
    [{ field: 'name', op: 'is_empty', value: 'x' }, /^filter\.value must be left out with is_empty\./],
    [{ field: 'name' }, /^filter\.op must be one of eq, .* for name, not missing\./],
    [{ field: 'raw', op: 'eq', value: 1 }, /^filter\.op must be one of is_empty, is_not_empty for raw/],
    [{ field: '__proto__', op: 'is_empty' }, /^filter\.field must be the name of a field, not "__proto__"/],
    [
      { field: 5, op: 'is_empty' },
      /^filter\.field must be the name of a field, not 5\. GET \/api\/fields\?entity=parcel lists them\.$/,
    ],
    [{ ...leaf, valeu: 1 }, /^filter must have only field, op, value, not "valeu"\./],
    [{ and: [leaf], or: [leaf] }, /^filter must have exactly one of and, or, not, but has "and" and "or"\./],
    [{ and: [] }, /^filter\.and must be an array of 1 to 50 filters\./],
    [{ or: leaf }, /^filter\.or must be an array/],
    [{ not: [leaf] }, /^filter\.not must be an object .*not an array\./],
    [{}, /^filter must have a field, or one of and, or, not\./],
    [null, /^filter must be an object/],
    ['x', /^filter must be an object .*not "x"\./],
    [nested(6), /^filter must be at most 5 levels deep; filter\.not\.not\.not\.not\.not is deeper\./],
    [{ and: [{ or: Array(49).fill(leaf) }, leaf, leaf] }, /^filter must have at most 50 conditions\./],
  ]
  for (const [filter, message] of wrong)
    assert.throws(
      () => parse(filter),
      (error) => error instanceof InvalidInput && message.test(error.message),
      JSON.stringify(filter)?.slice(0, 100),
    )
  parse(nested(5))
  parse({ field: 'price', op: 'between', value: [-(2 ** 53 - 1), 0.1] })
  parse({ and: [{ or: Array(49).fill(leaf) }, leaf] })
  assert.throws(
    () => parse({ field: 'owner', op: 'eq', value: 'me' }, null),
    /^Error: filter\.value is "me", but this request has no user\./,
  )
  assert.throws(() => parseFilterText('{'), /^Error: filter must be JSON such as/)
  assert.throws(
    () => parseFilterText(`"${'x'.repeat(40_000)}"`),
    /^Error: filter must be at most 32000 characters/,
  )
})

test('hostile filters are refused without reading them whole', () => {
  let deep: unknown = { field: 'name', op: 'is_empty' }
  for (let level = 0; level < 10_000; level++) deep = level % 2 ? { not: deep } : { and: [deep] }
  const wide = { or: Array.from({ length: 40_000 }, () => ({ field: 'name', op: 'is_empty' })) }
  const hostile = [
    deep,
    wide,
    { and: [{ or: Array(50).fill({ and: Array(50).fill({ field: 'name', op: 'is_empty' }) }) }] },
    { field: 'name', op: 'eq', value: 'x'.repeat(1_000_000) },
    { field: 'x'.repeat(1_000_000), op: 'eq', value: 'x' },
    { field: 'name', op: wide, value: 'x' },
    { field: 'name', op: 'eq', value: wide },
    { field: 'name', op: 'in', value: Array(100_000).fill('x') },
    Object.fromEntries(Array.from({ length: 50_000 }, (_value, n) => [`key_${n}`, n])),
  ]
  for (const filter of hostile) {
    const start = performance.now()
    assert.throws(() => parse(filter), InvalidInput)
    if (process.env.FILTER_TIMES) console.log(`refused in ${(performance.now() - start).toFixed(2)} ms`)
  }
})

test('empty values are unequal to everything, and `not` is plain negation', () => {
  const empty = {}
  for (const [op, expected] of Object.entries({
    eq: false,
    in: false,
    ne: true,
    not_in: true,
    contains: false,
    starts_with: false,
    is_empty: true,
    is_not_empty: false,
  })) {
    const value = op.startsWith('is_') ? undefined : op.endsWith('in') ? ['x'] : 'x'
    const leaf = { field: 'name', op, value } as Filter
    assert.equal(isMatch(leaf, empty), expected, op)
    assert.equal(isMatch({ not: leaf }, empty), !expected, `not ${op}`)
  }
  for (const op of ['lt', 'lte', 'gt', 'gte'] as const) {
    assert.equal(isMatch({ field: 'price', op, value: 0 }, empty), false, op)
    assert.equal(isMatch({ not: { field: 'price', op, value: 0 } }, empty), true, op)
  }
  assert.equal(isMatch({ field: 'price', op: 'between', value: [0, 1] }, empty), false)
})

test('text is compared exactly by eq and in, folded by contains and starts_with', () => {
  const record = { name: 'Österreich' }
  assert.equal(isMatch({ field: 'name', op: 'eq', value: 'österreich' }, record), false)
  assert.equal(isMatch({ field: 'name', op: 'in', value: ['x', 'Österreich'] }, record), true)
  assert.equal(isMatch({ field: 'name', op: 'contains', value: 'TERR' }, record), true)
  assert.equal(isMatch({ field: 'name', op: 'starts_with', value: 'oster' }, record), true)
  assert.equal(isMatch({ field: 'name', op: 'starts_with', value: 'reich' }, record), false)
  assert.equal(isMatch({ field: 'state', op: 'eq', value: 'OPEN' }, { state: 'open' }), true)
})

test('a day means all its moments in UTC, and may be relative to today', () => {
  const at = (time: string) => ({ at: time })
  const day = { field: 'at', op: 'eq', value: '2026-03-01' } as const
  assert.equal(isMatch(day, at('2026-03-01T23:59:59.999Z')), true)
  assert.equal(isMatch(day, at('2026-03-02T00:00:00.000Z')), false)
  assert.equal(isMatch({ ...day, op: 'gt' }, at('2026-03-01T12:00:00.000Z')), false)
  assert.equal(isMatch({ ...day, op: 'lte' }, at('2026-03-01T12:00:00.000Z')), true)
  const month = { field: 'at', op: 'between', value: ['2025-12-01', '2025-12-31'] } as const
  assert.equal(isMatch(month, at('2025-12-31T23:00:00.000Z')), true)
  assert.equal(
    isMatch({ field: 'at', op: 'eq', value: '2026-03-01T10:00:00+01:00' }, at('2026-03-01T09:00:00.000Z')),
    true,
  )
  for (const [value, expected] of [
    ['today', '2026-03-31'],
    ['-30d', '2026-03-01'],
    ['+1d', '2026-04-01'],
    ['-1w', '2026-03-24'],
    ['-1m', '2026-02-28'],
    ['-13m', '2025-02-28'],
    ['+11m', '2027-02-28'],
    ['-1y', '2025-03-31'],
  ])
    assert.equal(isMatch({ field: 'day', op: 'eq', value }, { day: expected }), true, value)
})

test('a field of several values has one of them, or none', () => {
  const record = { tags: ['a', 'b'] }
  assert.equal(isMatch({ field: 'tags', op: 'eq', value: 'a' }, record), true)
  assert.equal(isMatch({ field: 'tags', op: 'in', value: ['c', 'b'] }, record), true)
  assert.equal(isMatch({ field: 'tags', op: 'not_in', value: ['c', 'b'] }, record), false)
  assert.equal(isMatch({ field: 'tags', op: 'ne', value: 'c' }, { tags: [] }), true)
  assert.equal(isMatch({ field: 'tags', op: 'is_empty' }, { tags: [] }), true)
})

test('"me" is the caller, and equal filters have equal keys', () => {
  assert.equal(isMatch({ field: 'owner', op: 'eq', value: 'me' }, { owner: 'ada@example.com' }), true)
  assert.equal(
    parse({ field: 'owner', op: 'eq', value: 'me' }).key,
    parse({ field: 'owner', op: 'eq', value: 'ADA@example.com' }).key,
  )
  assert.notEqual(
    parse({ field: 'owner', op: 'eq', value: 'me' }).key,
    parse({ field: 'owner', op: 'eq', value: 'me' }, 'bo@example.com').key,
  )
})

test('a sort in a query says where empty values go, unless they go there by default', () => {
  const keys = (text: string) =>
    parseSortText(text, fields).map(({ field, isDescending, areNullsFirst }) => [
      field.name,
      isDescending,
      areNullsFirst,
    ])
  assert.deepEqual(keys('-size:nulls_first,name:nulls_last,owner'), [
    ['size', true, true],
    ['name', false, false],
    ['owner', false, true],
  ])
  for (const text of ['size', '-size', 'size:nulls_last', '-size:nulls_first,name'])
    assert.equal(joinSort(splitSort(text)), text)
  assert.equal(joinSort(splitSort('size:nulls_first,-name:nulls_last')), 'size,-name')
  for (const text of ['size:nulls_middle', 'size:nulls_first:nulls_first', 'size:', '--size', ''])
    assert.throws(
      () => parseSortText(text, fields),
      /^Error: sort\[0\]\.field must be the name of a field .* GET \/api\/fields\?entity=parcel lists them\.$/,
    )
})

test('every type has operators, and a sort names fields that can be sorted by', () => {
  assert.equal(FIELD_TYPES.length, 14)
  const [key] = parseSort([{ field: 'size', direction: 'desc' }], fields)
  assert.deepEqual([key?.isDescending, key?.areNullsFirst], [true, false])
  assert.equal(parseSort([{ field: 'size' }], fields)[0]?.areNullsFirst, true)
  assert.equal(parseSort([{ field: 'size', nulls: 'last' }], fields)[0]?.areNullsFirst, false)
  assert.throws(
    () => parseSort([{ field: 'size' }, { field: 'raw' }], fields),
    /^Error: sort\[1\]\.field must be the name of a field to sort by, not "raw"/,
  )
  assert.throws(
    () => parseSort([{ field: 'size' }, { field: 'size' }], fields),
    /^Error: sort\[1\]\.field repeats "size"/,
  )
})

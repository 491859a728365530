import fc from 'fast-check'

/** JSON Schema, as far as values are generated from it. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  examples?: unknown[]
}

/** Ids of existing records by kind, so that odd requests also reach the code behind the lookup. */
export type KnownIds = Record<string, string>

export const STRINGS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '🚀👩‍👩‍👧',
  '‮שלום עולם',
  "'; drop table companies; --",
  '<script>alert(1)</script>',
  '%',
  '_',
  '\\',
  '%_\\',
  '{{7*7}}',
  'null',
  'NaN',
  '1e400',
  '../../etc/passwd',
  'x'.repeat(1000),
]

export const NUMBERS = [
  'NaN',
  'Infinity',
  '1e400',
  '-0',
  '-1',
  '0',
  '1e3',
  '0x10',
  '1.5',
  '9007199254740993',
  '１２',
]

/** Values that pass a first check and are wrong, or just right. */
const NEARLY_VALID = [
  'active',
  'DE',
  'a@b.example',
  '2026-02-30T00:00:00Z',
  '2026-03-02T09:30:00.000Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  'https://[::1]',
  'https://a.example/%',
]

export const anyString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...STRINGS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyString,
  fc.constantFrom(...NUMBERS),
  fc.anything({ maxDepth: 2 }),
  fc.double(),
)

/** Values of the right type, or of any other type. */
export function valueFor(schema: Schema, known: KnownIds): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), anyValue)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => valueFor(option, known)))
  const [type] = [schema.type ?? (schema.allOf ? 'object' : 'string')].flat()
  switch (type) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double(), anyValue, fc.constant(null))
    case 'boolean':
      return fc.oneof(fc.boolean(), anyValue)
    case 'array':
      return fc.oneof(
        fc.array(schema.items ? valueFor(schema.items, known) : anyValue, { maxLength: 4 }),
        anyValue,
      )
    case 'object':
      return fc.oneof(objectFor(schema, known), anyValue)
    default:
      return fc.oneof(
        { weight: 3, arbitrary: anyString },
        { weight: 2, arbitrary: fc.constantFrom(...Object.values(known), ...NEARLY_VALID) },
        { weight: 1, arbitrary: anyValue },
      )
  }
}

/** Objects with some of the fields that the schema names. */
export function objectFor(schema: Schema, known: KnownIds): fc.Arbitrary<object> {
  const properties = propertiesOf(schema)
  if (Object.keys(properties).length === 0) return fc.dictionary(anyString, anyValue, { maxKeys: 4 })
  const fields = Object.entries(properties).map(([name, field]) => [name, valueFor(field, known)])
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
}

export const propertiesOf = ({ properties = {}, allOf = [] }: Schema): Record<string, Schema> =>
  Object.assign({}, ...allOf.map(propertiesOf), properties)

/** A valid object with one field replaced. */
export const changedExample = (example: object, schema: Schema, known: KnownIds): fc.Arbitrary<object> => {
  const changes = Object.entries(propertiesOf(schema)).map(([name, field]) =>
    valueFor(field, known).map((value) => ({ ...withKnownIds(example, known), [name]: value })),
  )
  return changes.length > 0 ? fc.oneof(...changes) : fc.constant(example)
}

/** The value with its ids replaced by those of existing records of the same kind. */
function withKnownIds<T>(value: T, known: KnownIds): T {
  const kinds = Object.fromEntries(Object.values(known).map((id) => [id.split('_', 1)[0], id]))
  const text = JSON.stringify(value).replace(/"([a-z]+)_[0-9a-z]{26}"/g, (found, kind) =>
    kinds[kind] ? JSON.stringify(kinds[kind]) : found,
  )
  return JSON.parse(text) as T
}

/** JSON that `JSON.stringify` would not write: with lone surrogates, and 1e400 as a number. */
export function toJson(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item)) ?? 'null'
  return text.replace(/"(1e400|-0)"/g, '$1')
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Query strings without the question mark, of known parameters and others. */
export function queryFor(names: string[], known: KnownIds): fc.Arbitrary<string> {
  const name = names.length > 0 ? fc.oneof(fc.constantFrom(...names), anyString) : anyString
  const value = fc.oneof(
    anyString,
    fc.constantFrom(...NUMBERS, ...NEARLY_VALID),
    fc.integer().map(String),
    fc.constantFrom(...Object.values(known)),
  )
  const raw = fc.constantFrom('%', '%zz', '&&', '=', 'a=b=c', '[]=1', 'limit=%F0%28', '__proto__=1', '?')
  const pair = fc.tuple(name, value).map(([key, text]) => `${encode(key)}=${encode(text)}`)
  return fc
    .array(fc.oneof({ weight: 6, arbitrary: pair }, { weight: 1, arbitrary: raw }), { maxLength: 4 })
    .map((parts) => parts.join('&'))
}

/** Path segments, encoded: ids of existing records and others. */
export const segmentFor = (known: KnownIds): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.values(known)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['%00', '%2e%2e%2f', '%F0%28', 'cmp_', 'CMP_01JW3F8X5ZFQ2V5N6K7M8P9R0S', 'a@b.example'],
      ),
    },
    {
      weight: 1,
      arbitrary: anyString.filter((text) => text !== '').map((text) => encode(text).slice(0, 1500)),
    },
  )

/** CSV files with one row of any cells, and text that is not CSV. */
export const csvFile: fc.Arbitrary<string> = fc.oneof(
  anyString,
  fc.array(anyString, { maxLength: 30 }).map((cells) => `name,website,employees\n${cells.join(',')}\n"`),
)

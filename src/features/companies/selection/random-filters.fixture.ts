import type { CustomField, CustomValues } from '#src/features/fields/schema.ts'
import type { FilterField } from '#src/platform/filter/fields.ts'
import { type FieldType, type Filter, OPERATORS_BY_TYPE } from '#src/platform/filter/schema.ts'
import type { NewCompany } from '../schema.ts'

/** Texts that differ by case, accents, and characters that have a meaning in patterns. */
export const TEXTS = [
  ...[
    'Ångström',
    'ångström',
    'ANGSTROM',
    'Åse',
    'İstanbul',
    'istanbul',
    'ß',
    'ss',
    'ﬁnch',
    'finch',
    'e\u0301',
    'é',
    'E',
  ],
  ...[
    '100%',
    '100',
    'a_b',
    'axb',
    'a\\b',
    'ab',
    '%',
    '_',
    '日本',
    '日',
    '🚀',
    '👩‍👩‍👧',
    'Ωmega',
    'ω',
    "O'Neil",
    '"',
    'x',
    'xx',
  ],
] as const
const CODES = ['DE', 'FR', 'GB', 'NO', 'UK', 'de'] as const
const WORDS = [
  'active',
  'inactive',
  'acquired',
  'Due Diligence',
  'due_diligence',
  'initial',
  'meeting',
  'won',
] as const
export const PEOPLE = ['ada@example.com', 'ola@example.com'] as const
const TAGS = ['ai', 'won', '日本'] as const
const NUMBERS = [0, -0, 1, -1, 0.1, 2.5, 99.99, 1e15, -1e15, 5e-324, Number.MAX_SAFE_INTEGER] as const
/** Records may have these, filters may not. */
const INEXACT_NUMBERS = [1.7976931348623157e308, 2 ** 53] as const
const INTEGERS = [0, 1, -1, 70, 100, 1000, 1999, 2000, 2100, 2 ** 31 - 1, -(2 ** 31 - 1)] as const
export const TIMES = [
  ...[
    '0001-01-01T00:00:00.000Z',
    '1999-12-31T23:59:59.999Z',
    '2000-01-01T00:00:00.000Z',
    '2024-02-29T12:00:00.000Z',
  ],
  ...[
    '2024-12-31T23:59:59.999Z',
    '2025-01-01T00:00:00.000Z',
    '2025-06-15T08:30:00.001Z',
    '9999-12-31T23:59:59.999Z',
  ],
] as const
const DATES = [
  ...['0001-01-01', '1999-12-31', '2000-01-01', '2024-02-29', '2024-12-31', '2025-01-01', '9999-12-31'],
  ...['today', '-1d', '-400d', '+3w', '-1m', '-1y'],
] as const
const MOMENTS = [...DATES, '2025-01-01T00:00:00+02:00', '2024-12-31T23:59:59.999Z'] as const

type Random = () => number
const pick = <T>(next: Random, values: readonly T[]): T => values[Math.floor(next() * values.length)] as T

/** Numbers at the limits of their types, which are outside the limits of the fields. */
export const randomNumbers = (next: Random) => ({
  founded_year: pick(next, INTEGERS),
  employee_count: pick(next, INTEGERS),
  llm_score_overall: pick(next, INTEGERS),
  revenue_eur: pick(next, [...NUMBERS, ...INEXACT_NUMBERS]),
})

/** A company with odd values, or none, in every field. */
export function randomCompany(next: Random, theses: readonly string[]): NewCompany {
  const maybe = <T>(values: readonly T[]) => (next() < 0.3 ? null : pick(next, values))
  return {
    name: pick(next, TEXTS) + (next() < 0.5 ? ` ${pick(next, TEXTS)}` : ''),
    country: maybe(TEXTS),
    country_code: maybe(CODES),
    hq_city: maybe(TEXTS),
    industry_category: maybe(TEXTS),
    activity_description: maybe(TEXTS.map((text) => `${text}\n${pick(next, TEXTS)}`)),
    status: pick(next, ['active', 'inactive', 'acquired', 'due_diligence']),
    thesis_id: maybe(theses),
    website: maybe(['https://x.example', 'https://X.example/Ä']),
    founded_year: maybe([1000, 1999, 2000, 2100]),
    employee_count: maybe([0, 1, 70, 10_000_000]),
    revenue_eur: maybe([0, 0.1, 2.5, 99.99, 1e15]),
    llm_score_overall: maybe([0, 1, 70, 100]),
    tags: TAGS.filter(() => next() < 0.3),
    owner_email: maybe(PEOPLE),
    executives: maybe([[{ name: 'x' }]]),
    financials: maybe([{ a: 1 }]),
  }
}

/** Values of some of these fields, as they are stored. */
export const randomCustom = (next: Random, fields: readonly CustomField[]): CustomValues =>
  Object.fromEntries(
    fields.filter(() => next() < 0.6).map((field) => [field.key, randomCustomValue(next, field)]),
  )

function randomCustomValue(next: Random, { type, options }: CustomField): unknown {
  const option = () => pick(next, options).id
  switch (type) {
    case 'number':
    case 'money':
      return pick(next, [0, 1, -1, 0.1, 2.5, 99.99, 1e15])
    case 'boolean':
      return next() < 0.5
    case 'date':
      return pick(next, ['0001-01-01', '1999-12-31', '2024-02-29', '2025-01-01', '9999-12-31'])
    case 'select':
      return option()
    case 'multi_select':
      return [...new Set([option(), option()])]
    case 'url':
      return pick(next, ['https://x.example', 'https://X.example/Ä'])
    case 'email':
    case 'user':
      return pick(next, PEOPLE)
    default:
      return pick(next, TEXTS)
  }
}

/** A valid filter on some of the fields, at most as deep as allowed. */
export const randomFilter = (next: Random, fields: readonly FilterField[]): Filter =>
  randomTree(next, () => randomLeaf(next, pick(next, fields)))

function randomTree(next: Random, leaf: () => Filter, depth = 1): Filter {
  const kind = depth < 5 ? next() : 1
  const part = () => randomTree(next, leaf, depth + 1)
  const parts = () => Array.from({ length: 1 + Math.floor(next() * 3) }, part)
  if (kind < 0.25) return { and: parts() }
  if (kind < 0.5) return { or: parts() }
  if (kind < 0.65) return { not: part() }
  return leaf()
}

/** A filter that searches the texts of two fields, often several times, and has few other conditions. */
export function randomSearches(next: Random, fields: readonly FilterField[]): Filter {
  const texts = fields.filter(({ type }) =>
    (OPERATORS_BY_TYPE[type] as readonly string[]).includes('contains'),
  )
  const searched = [pick(next, texts), pick(next, texts)]
  const search = (): Filter => ({
    field: pick(next, searched).name,
    op: pick(next, ['contains', 'starts_with'] as const),
    value: pick(next, TEXTS),
  })
  const leaf = () => (next() < 0.8 ? search() : randomLeaf(next, pick(next, fields)))
  const parts = Array.from({ length: 2 + Math.floor(next() * 4) }, () => randomTree(next, leaf, 3))
  const group = next() < 0.5 ? { and: parts } : { or: parts }
  return next() < 0.3 ? { not: group } : group
}

function randomLeaf(next: Random, field: FilterField): Filter {
  const op = pick(next, OPERATORS_BY_TYPE[field.type])
  const isText = op === 'contains' || op === 'starts_with'
  const value = () => pick(next, isText ? TEXTS : valuesOf(field))
  switch (op) {
    case 'is_empty':
    case 'is_not_empty':
      return { field: field.name, op }
    case 'in':
    case 'not_in':
      return { field: field.name, op, value: Array.from({ length: 1 + Math.floor(next() * 4) }, value) }
    case 'between':
      return { field: field.name, op, value: [value(), value()] }
    default:
      return { field: field.name, op, value: value() }
  }
}

const VALUES: Partial<Record<FieldType, readonly unknown[]>> = {
  money: NUMBERS,
  number: INTEGERS,
  timestamp: MOMENTS,
  boolean: [true, false],
  url: ['https://x.example', 'https://X.example/Ä', 'https://x'],
  date: DATES,
  email: [...PEOPLE, 'x'],
  user: [...PEOPLE, 'nobody@example.com'],
  multi_select: WORDS,
}

const VALUES_BY_NAME: Record<string, readonly unknown[]> = { country_code: CODES, status: WORDS, tags: TAGS }

function valuesOf({ type, name, options }: FilterField): readonly unknown[] {
  if (name.startsWith('custom.') && options) return [...options.map(({ label }) => label), 'no option']
  return VALUES_BY_NAME[name] ?? VALUES[type] ?? TEXTS
}

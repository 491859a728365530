import { type Static, type TStringOptions, Type } from 'typebox'
import { EMAIL_PATTERN } from '#src/platform/schema/email-address.ts'
import { FILTER_MAX_LENGTH, Nullable, OneOf, Strict } from '#src/platform/schema/shapes.ts'

/** A condition is at depth 1, a condition in a group at depth 2. */
export const MAX_FILTER_DEPTH = 5
export const MAX_FILTER_LEAVES = 50
/** Of one condition with `in` or `not_in`. */
export const MAX_FILTER_VALUES = 1000
export const MAX_FILTER_VALUE_LENGTH = 2000
/** Of a filter in a query, as JSON. */
export const MAX_FILTER_LENGTH = 32_000
/** Of a body with a filter. It has room for the ids of 10,000 records. */
export const MAX_FILTER_BODY_BYTES = 720 * 1024
export const MAX_SORT_FIELDS = 3

export const OPERATORS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'is_empty',
  'is_not_empty',
] as const
export type Operator = (typeof OPERATORS)[number]

const EMPTINESS = ['is_empty', 'is_not_empty'] as const
const CHOICE = ['eq', 'ne', 'in', 'not_in', ...EMPTINESS] as const
const TEXT = [...CHOICE, 'contains', 'starts_with'] as const
const ORDERED = [...CHOICE, 'lt', 'lte', 'gt', 'gte', 'between'] as const

/** The types of fields, with the operators that each allows. */
export const OPERATORS_BY_TYPE = {
  text: TEXT,
  long_text: TEXT,
  url: TEXT,
  email: TEXT,
  number: ORDERED,
  money: ORDERED,
  /** A day of the calendar. */
  date: ORDERED,
  /** A moment. A day as its value means all moments of that day in the caller's time zone. */
  timestamp: ORDERED,
  boolean: ['eq', 'ne', ...EMPTINESS],
  select: CHOICE,
  /** Several values. `eq` and `in`: it has one of these. `ne` and `not_in`: it has none of these. */
  multi_select: CHOICE,
  /** The email address of a user; "me" is the caller. */
  user: CHOICE,
  /** The id of a record. */
  reference: CHOICE,
  json: EMPTINESS,
} as const satisfies Record<string, readonly Operator[]>
export type FieldType = keyof typeof OPERATORS_BY_TYPE
export const FIELD_TYPES = Object.keys(OPERATORS_BY_TYPE) as FieldType[]

/** A condition on a field. */
export interface FilterLeaf {
  field: string
  op: Operator
  value?: unknown
}
/** A filter: a condition, or a group of filters. */
export type Filter = FilterLeaf | { and: Filter[] } | { or: Filter[] } | { not: Filter }

const $filter = { $ref: '#/components/schemas/Filter' }
const group = (name: 'and' | 'or', description: string) => ({
  type: 'object',
  required: [name],
  additionalProperties: false,
  properties: {
    [name]: { type: 'array', minItems: 1, maxItems: MAX_FILTER_LEAVES, items: $filter, description },
  },
})

/** The filter of the examples. */
export const filterExample: Filter = {
  and: [
    { field: 'country_code', op: 'in', value: ['DE', 'FR'] },
    { not: { field: 'llm_score_overall', op: 'is_empty' } },
  ],
}

const scalar = { type: ['string', 'number', 'boolean'] }

/** Checked by `parseFilter`, whose errors name the condition. */
export const FilterSchema = Type.Unsafe<Filter>({
  title: 'Filter',
  'x-numbers-checked': true,
  'x-max-size': {
    keys: ['field', 'op', 'value', 'and', 'or', 'not'],
    named: { and: MAX_FILTER_LEAVES, or: MAX_FILTER_LEAVES },
    other: MAX_FILTER_VALUES,
  },
  'x-documented-as': {
    description:
      `A condition on a field, or conditions combined with and, or, not: at most ${MAX_FILTER_LEAVES} conditions, ` +
      `${MAX_FILTER_DEPTH} levels deep. GET /api/fields lists the fields and their operators.`,
    oneOf: [
      {
        type: 'object',
        required: ['field', 'op'],
        additionalProperties: false,
        properties: {
          field: { type: 'string' },
          op: { type: 'string', enum: OPERATORS },
          value: {
            description:
              'in and not_in take an array, between takes two values, is_empty and is_not_empty take none. Dates also take ' +
              '-30d (30 days ago), today, and the like with w, m, and y, as days in your time zone (preferences.time_zone); users take me.',
            oneOf: [scalar, { type: 'array', maxItems: MAX_FILTER_VALUES, items: scalar }],
          },
        },
      },
      group('and', 'Matches records that match all of them.'),
      group('or', 'Matches records that match one of them.'),
      {
        type: 'object',
        required: ['not'],
        additionalProperties: false,
        properties: { not: $filter },
        description: 'Matches all records that the filter does not match.',
      },
    ],
  },
})

/** A filter in a query. */
export const filterParameter = Type.Optional(
  Type.String({
    maxLength: MAX_FILTER_LENGTH,
    description:
      'A filter as JSON, in addition to the other filters: conditions combined with and, or, not. See the schema Filter.',
    examples: [JSON.stringify({ field: 'llm_score_overall', op: 'gte', value: 70 })],
  }),
)

/** What a list is sorted by, in a query. */
export const sortParameter = (options: { default?: string } = {}) =>
  Type.Optional(
    Type.String({
      maxLength: 500,
      ...options,
      description:
        `Up to ${MAX_SORT_FIELDS} fields to sort by, separated by commas, with a leading - for descending order. GET /api/fields ` +
        'lists them. Records without a value come last in descending order and first in ascending order, unless the field ' +
        'is followed by :nulls_first or :nulls_last.',
      examples: ['-llm_score_overall,name'],
    }),
  )

export const SortKeySchema = Strict(
  Type.Object(
    {
      field: Type.String({ maxLength: 200 }),
      direction: Type.Optional(OneOf(['asc', 'desc'], { default: 'asc' })),
      nulls: Type.Optional(
        Nullable(
          OneOf(['first', 'last'], {
            description:
              'Where records without a value go. By default last in descending order and first in ascending order.',
          }),
        ),
      ),
    },
    { title: 'SortKey' },
  ),
)
export type SortKey = Static<typeof SortKeySchema>

const SORT_KEY = /^(-?)(.*?)(?::nulls_(first|last))?$/s

/** The keys of a sort in a query, such as `-llm_score_overall:nulls_first,name`. */
export const splitSort = (text: string): SortKey[] =>
  text.split(',').map((key) => {
    const [, minus, field = '', nulls] = SORT_KEY.exec(key) ?? []
    return {
      field,
      direction: minus ? 'desc' : 'asc',
      ...(nulls && { nulls: nulls as 'first' | 'last' }),
    }
  })

/** Whether records without a value come first: by default only in ascending order. */
export const hasNullsFirst = ({ direction, nulls }: SortKey): boolean =>
  nulls ? nulls === 'first' : direction !== 'desc'

/** A sort as queries have it, which reverses `splitSort`. It says where empty values go only if not by default. */
export const joinSort = (sort: readonly SortKey[]): string =>
  sort
    .map(({ field, direction, nulls }) => {
      const isDefault = hasNullsFirst({ field, direction, nulls }) === hasNullsFirst({ field, direction })
      return `${direction === 'desc' ? '-' : ''}${field}${isDefault ? '' : `:nulls_${nulls}`}`
    })
    .join(',')

export const SortSchema = Type.Array(SortKeySchema, {
  maxItems: MAX_SORT_FIELDS,
  description: 'GET /api/fields says which fields can be sorted by. Ties are in the order of creation.',
})

/** At most this many values of a filter. */
const MAX_REPEATED_VALUES = 100

/** A filter that may be repeated: any of the values matches. */
export const repeatedFilter = ({ description = '', ...options }: TStringOptions = {}) =>
  Type.Optional(
    Type.Unsafe<string | string[]>({
      ...Type.Array(Type.String({ 'x-normalize': 'text', maxLength: FILTER_MAX_LENGTH, ...options }), {
        maxItems: MAX_REPEATED_VALUES,
      }),
      'x-repeated': true,
      description: `${description} May be repeated: any of the values matches.`.trim(),
    }),
  )

/** The same for the addresses of users, and for words that stand for some. `me` is the caller. */
export const repeatedUserFilter = (words: readonly string[] = ['me']) => {
  const alternatives = words.join(', or ')
  return repeatedFilter({
    'x-normalize': 'email',
    pattern: `${EMAIL_PATTERN}|^(?:${words.join('|')})$`,
    'x-allowed': `an email address such as ada@example.com, or ${alternatives}`,
    description: `The email address of a user, or ${alternatives}.`,
  })
}

/** The same for a closed set of words. */
export const repeatedChoice = (words: readonly string[]) => repeatedWordFilter({ enum: [...words] })

/** The same for words, in any spelling that `Word` accepts. */
export const repeatedWordFilter = (options: TStringOptions = {}) =>
  repeatedFilter({ 'x-normalize': 'word', ...options })

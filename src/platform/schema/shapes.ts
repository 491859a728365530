import {
  type Static,
  type TArray,
  type TObject,
  type TPartial,
  type TProperties,
  type TSchema,
  type TStringOptions,
  Type,
} from 'typebox'

export const WORD_PATTERN = '^[a-z][a-z0-9_]*$'
export const EMAIL_PATTERN = '^[^\\s@<>()",;:\\\\]+@[^\\s@<>()",;:\\\\]+$'
/** Up to a thousand ids with commas between them. */
export const IDS_PATTERN = '^[a-z0-9_]{1,100}(,[a-z0-9_]{1,100}){0,999}$'

/** Makes validation bring the text into the one spelling of a word. */
const asWord = { 'x-normalize': 'word' }

/** A lower_snake_case word of an open vocabulary: statuses, stages, types. */
export const Word = Type.String({
  ...asWord,
  pattern: WORD_PATTERN,
  maxLength: 64,
  description: 'A lower_snake_case word; "Due Diligence" is taken as due_diligence.',
})

const FILTER_MAX_LENGTH = 500

/** A value to filter by. One that no record has gives an empty list, whatever it looks like. */
export const filterValue = (options: TStringOptions = {}) =>
  Type.Optional(Type.String({ maxLength: FILTER_MAX_LENGTH, ...options }))

/** A word to filter by, in any spelling that `Word` takes. */
export const wordFilter = (options: TStringOptions = {}) => filterValue({ ...asWord, ...options })

const EMAIL = new RegExp(EMAIL_PATTERN)
const MAX_EMAIL_LENGTH = 254

/** Whether the text is an e-mail address by the pattern of `EmailAddress`. */
export const isEmailAddress = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text)

/** Whether the text is an email address of visible ASCII characters. */
export const isAsciiEmailAddress = (text: string): boolean =>
  /^[\x21-\x7e]+$/.test(text) && isEmailAddress(text)

export const EmailAddress = Type.String({
  pattern: EMAIL_PATTERN,
  maxLength: MAX_EMAIL_LENGTH,
  description: 'An e-mail address; upper and lower case are the same.',
})

export const Timestamp = Type.String({
  title: 'Timestamp',
  format: 'date-time',
  description: 'ISO 8601, UTC.',
})

type Nullable<T extends TSchema> = ReturnType<typeof Type.Unsafe<Static<T> | null>>

/** One of these words. */
export const OneOf = <const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options })

/** The same schema, with `null` allowed beside its own type. It is another schema, so it has no name. */
export function Nullable<T extends TSchema>(schema: T): Nullable<T> {
  const { type, title: _title, ...rest } = schema as { type?: string; title?: string }
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'] })
}

/** An object that the OpenAPI document lists by its name; its title is the name. */
export const Named = <P extends TProperties>(title: string, properties: P): TObject<P> =>
  Type.Object(properties, { title })

/** A field of free JSON is at most this large in UTF-8, so that a page of records stays small enough to send. */
export const MAX_JSON_VALUE_BYTES = 64 * 1024

/** An object that refuses fields it does not list. */
export const Strict = <T extends TSchema>(schema: T): T => ({ ...schema, additionalProperties: false })

const SentBack = Type.Optional(
  Type.Unknown({
    title: 'ReadOnly',
    readOnly: true,
    description: 'Cannot be changed. It may be sent back as it was read, and is ignored then.',
  }),
)

/** Read-only fields in a body for PATCH, which `withoutReadOnly` has to check and take away. */
export const readOnlyFields = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, SentBack]))

/**
 * A body for PATCH: every field optional, unknown ones refused, an empty one too.
 * @param readOnly the fields that may be sent back as they were read
 */
export const Patch = <P extends TProperties>(properties: P, readOnly: readonly string[] = []) =>
  Strict(
    Type.Unsafe<Static<TPartial<TObject<P>>>>({
      ...Type.Object({
        ...Type.Partial(Type.Object(properties)).properties,
        ...readOnlyFields(readOnly),
      }),
      minProperties: 1,
    }),
  )

/** The header that makes a change depend on the record being as the caller has read it (RFC 9110, section 13.1.1). */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      format: 'if-match',
      description:
        "The record's `updated_at` in double quotes, as it was read; several with commas between, or `*` for any. When the " +
        'record has changed since, the answer is 412 and nothing is changed.',
      examples: ['"2026-03-02T09:30:00.000Z"'],
    }),
  ),
})

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'A short fixed phrase for the status.' }),
    details: Type.String({ description: 'A sentence for a person: what is wrong and what is allowed.' }),
  },
  {
    title: 'Error',
    examples: [{ error: 'Not found', details: 'No record has the id x_01jw3f8x5zfq2v5n6k7m8p9r0s.' }],
  },
)

/** An error that only some operations answer with, described in their own words. */
export const ErrorAnswer = (description: string, headers?: Record<string, TSchema>) =>
  Type.Object(ErrorBody.properties, { description, ...(headers ? { headers } : {}) })

export const Pagination = Named('Pagination', {
  total: Type.Integer({ description: 'How many records match, over all pages.' }),
  limit: Type.Integer(),
  offset: Type.Integer(),
  hasMore: Type.Boolean(),
})
export type Pagination = Static<typeof Pagination>

/** The envelope of one record. */
export const Data = <T extends TSchema>(schema: T, example: Static<T>) =>
  Type.Object({ data: schema }, { examples: [{ data: example }] })

export const MAX_PAGE_LIMIT = 1000
const DEFAULT_PAGE_LIMIT = 50

/** The envelope of a list, named after its records. */
export const Page = <T extends TSchema>(
  schema: T,
  example: Static<T>,
): TObject<{ data: TArray<T>; pagination: typeof Pagination }> =>
  Type.Object(
    { data: Type.Array(schema), pagination: Pagination },
    {
      title: `${(schema as { title?: string }).title}List`,
      examples: [
        { data: [example], pagination: { total: 1, limit: DEFAULT_PAGE_LIMIT, offset: 0, hasMore: false } },
      ],
    },
  )

/** `limit` and `offset` of a list. */
export const pageQuery = (defaultLimit = DEFAULT_PAGE_LIMIT) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_PAGE_LIMIT,
      'x-capped': true,
      default: defaultLimit,
      description: `Records per page. More than ${MAX_PAGE_LIMIT} is taken as ${MAX_PAGE_LIMIT}; 0 gives the total alone.`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'How many records to skip.',
    }),
  ),
})

export interface PageRequest {
  limit: number
  offset: number
}

/** The page that a query asks for. Validation has already filled in the defaults of the list's `pageQuery`. */
export const pageOf = ({ limit = DEFAULT_PAGE_LIMIT, offset = 0 }: Partial<PageRequest>): PageRequest => ({
  limit,
  offset,
})

/** The `pagination` of a page. */
export const pagination = ({ limit, offset }: PageRequest, total: number): Pagination => ({
  total,
  limit,
  offset,
  hasMore: offset + limit < total,
})

export type Method = 'GET' | 'POST' | 'PATCH'

/**
 * The rate limit that counts an operation's requests; `standard` by default. `bulk` counts requests that succeed; those
 * that are refused count as `standard`.
 */
export type RateClass = 'standard' | 'ai' | 'bulk'

export interface EndpointSchema {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  consumes?: string[]
  produces?: string[]
  'x-rate-class'?: RateClass | 'none'
  /** Whether it answers without a user in production. */
  'x-open'?: boolean
  /** Besides those that every request may have. */
  headers?: TSchema
  /** Request headers that are documented and not validated: one that cannot be read is passed over (RFC 9110). */
  documentedHeaders?: TSchema
  params?: TSchema
  querystring?: TSchema
  body?: TSchema
  response: { [status: number]: TSchema }
}

/** What a route, its documentation and its client have in common. The server and the client are made from it. */
export interface Endpoint<S extends EndpointSchema = EndpointSchema> {
  method: Method
  url: string
  schema: S
}

export const endpoint = <const S extends EndpointSchema>(
  method: Method,
  url: string,
  schema: S,
): Endpoint<S> => ({ method, url, schema })

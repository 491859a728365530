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
import type { EndpointAccess } from '#src/platform/http/security/permissions.ts'

export const WORD_PATTERN = '^[a-z][a-z0-9_]*$'
/** Up to a thousand comma-separated ids. */
export const IDS_PATTERN = '^[a-z0-9_]{1,100}(,[a-z0-9_]{1,100}){0,999}$'

/** Normalizes the text to a word before validation. */
const asWord = { 'x-normalize': 'word' }

/** A lower_snake_case word of an open vocabulary: statuses, stages, types. */
export const Word = Type.String({
  ...asWord,
  pattern: WORD_PATTERN,
  maxLength: 64,
  description: 'A lower_snake_case word. "Due Diligence" becomes due_diligence.',
})

export const FILTER_MAX_LENGTH = 500

/** A filter value. An unknown value is valid and matches nothing. */
export const filterValue = (options: TStringOptions = {}) =>
  Type.Optional(Type.String({ 'x-normalize': 'text', maxLength: FILTER_MAX_LENGTH, ...options }))

/** Text without the character that separates the values of a list in a CSV file. */
export const LIST_ITEM_PATTERN = '^\\s*[^\\s;][^;]*$'

export const Timestamp = Type.String({
  title: 'Timestamp',
  format: 'date-time',
  description: 'ISO 8601, UTC.',
})

type Nullable<T extends TSchema> = ReturnType<typeof Type.Unsafe<Static<T> | null>>

/** A string that must be one of these values. */
export const OneOf = <const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) => Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options })

/** Allows `null` in addition. The result is a different schema, so it loses its name. */
export function Nullable<T extends TSchema>(schema: T): Nullable<T> {
  const { type, title: _title, ...rest } = schema as { type?: string; title?: string; enum?: unknown[] }
  const values = rest.enum && { enum: [...rest.enum, null] }
  return Type.Unsafe<Static<T> | null>({ ...rest, ...values, type: [type, 'null'] })
}

/** An object with a name in the OpenAPI document. Its title is the name. */
export const Named = <P extends TProperties>(title: string, properties: P): TObject<P> =>
  Type.Object(properties, { title })

/** A field of free JSON is at most this large in UTF-8, so that a page of records stays small enough to send. */
export const MAX_JSON_VALUE_BYTES = 64 * 1024

/** An object that refuses fields it does not list. */
export const Strict = <T extends TSchema>(schema: T): T => ({ ...schema, additionalProperties: false })

const ReadOnlyField = Type.Optional(
  Type.Unknown({
    title: 'ReadOnly',
    readOnly: true,
    description: 'Read-only. It is ignored.',
  }),
)

/** Read-only fields of a body, which `withoutReadOnly` removes. */
export const readOnlyFields = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ReadOnlyField]))

/**
 * A PATCH body: all fields are optional, unknown fields and an empty body are rejected.
 * @param readOnly the fields that are accepted and ignored, because records have them
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

/** The header that makes a change conditional on the version the caller has read (RFC 9110, section 13.1.1). */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      format: 'if-match',
      description:
        "The record's `updated_at` in double quotes, a comma-separated list of such values, or `*`. If the record has " +
        'changed since, the response is 412 and nothing is changed.',
      examples: ['"2026-03-02T09:30:00.000Z"'],
    }),
  ),
})

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'A short fixed phrase for the status.' }),
    details: Type.String({ description: 'A full sentence: what is wrong and what is allowed.' }),
  },
  {
    title: 'Error',
    examples: [{ error: 'Not found', details: 'No record has the id x_01jw3f8x5zfq2v5n6k7m8p9r0s.' }],
  },
)

/** An error that only some operations return, with their own description. */
export const ErrorAnswer = (description: string, headers?: Record<string, TSchema>) =>
  Type.Object(ErrorBody.properties, { description, ...(headers ? { headers } : {}) })

/** An error that is a page in browsers and JSON elsewhere. */
export const ErrorPage = (description: string) =>
  Type.Object(ErrorBody.properties, { description, 'x-page': true })

export const Pagination = Named('Pagination', {
  total: Type.Integer({ description: 'The number of matching records on all pages.' }),
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
      description: `Records per page. Capped at ${MAX_PAGE_LIMIT}; 0 returns only the total.`,
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'The number of records to skip.',
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

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The rate limit of an operation, `standard` by default. `bulk` only counts successful requests; rejected ones count
 * as `standard`.
 */
export type RateClass = 'standard' | 'ai' | 'bulk' | 'import' | 'logo'

export type EndpointSchema = EndpointParts & EndpointAccess

interface EndpointParts {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  consumes?: string[]
  /** The fields of a form with a file besides the file, for the documentation. */
  'x-form'?: Record<
    string,
    { type: 'string'; description?: string; enum?: string[]; isRequired?: boolean; examples?: string[] }
  >
  produces?: string[]
  'x-rate-class'?: RateClass | 'none'
  /** Whether the path contains a secret, so that logs show the route instead. */
  'x-secret-path'?: boolean
  /** Whether a POST writes nothing, so that it also works while the disk is full. */
  'x-reads-only'?: boolean
  /**
   * How `Idempotency-Key` works: by default the request is one transaction. `resumable`: it takes several, and continues
   * when it is repeated after a crash. `batched`: it takes several in the embedded database only, and what a crash has
   * left of it is undone. `own`: the operation handles the key itself. `none`: the response is a secret, so it is not stored.
   */
  'x-idempotency'?: 'resumable' | 'batched' | 'own' | 'none'
  /** Headers specific to this operation. */
  headers?: TSchema
  /** Request headers that are documented but not validated: invalid values are ignored (RFC 9110). */
  documentedHeaders?: TSchema
  params?: TSchema
  querystring?: TSchema
  body?: TSchema
  response: { [status: number]: TSchema }
}

/** The single definition that routes, documentation and client are created from. */
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

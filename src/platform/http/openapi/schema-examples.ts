import { isDeepStrictEqual } from 'node:util'
import type { Operation } from './documented-errors.ts'

interface Schema {
  [keyword: string]: unknown
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  examples?: unknown[]
}

interface Media {
  schema: Schema
  example?: unknown
}

type Schemas = Record<string, Schema>

/**
 * Replaces the examples of successful responses with examples of their properties. A property is described once, so its
 * example serves every operation, and tools assemble the example of a response. A response whose example differs from what
 * they would assemble keeps its own.
 * @param operations with references to named schemas
 * @param schemas by name; receive the examples
 */
export function moveExamplesToSchemas(operations: Operation[], schemas: Record<string, unknown>): void {
  const named = schemas as Schemas
  const examples = operations.flatMap(({ responses = {} }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const media = mediaOf(response)
      return Number(status) < 300 && media?.example !== undefined ? [media] : []
    }),
  )
  // A value says more than null or an empty list, whichever operation comes first.
  for (const allowsEmpty of [false, true])
    for (const { schema, example } of examples) addExamples(schema, example, named, allowsEmpty)
  for (const media of examples)
    if (isLike(exampleOf(media.schema, named), media.example)) delete media.example
}

function mediaOf(response: object): Media | undefined {
  const { content } = response as { content?: Record<string, Media> }
  return content?.['application/json']
}

/** Describes the value with examples of the schema's properties, except of those that have one. */
function addExamples(schema: Schema, value: unknown, named: Schemas, allowsEmpty: boolean): void {
  const target = resolved(schema, named)
  if (target.examples) return
  const add = (part: Schema, partValue: unknown) => addExamples(part, partValue, named, allowsEmpty)
  const parts = target.allOf ?? (value === null ? undefined : target.anyOf?.slice(0, 1))
  if (parts) for (const part of parts) add(part, value)
  else if (target.properties && isObject(value)) {
    for (const [name, property] of Object.entries(target.properties))
      if (name in value) add(property, value[name])
  } else if (isListOfOne(target, value)) add(target.items as Schema, value[0])
  else if ((allowsEmpty || !isEmpty(value)) && !isLike(exampleOf(target, named), value))
    target.examples = [value]
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Whether two examples say the same: any date is as good as another. */
const isLike = (a: unknown, b: unknown): boolean => isDeepStrictEqual(withoutDates(a), withoutDates(b))

const withoutDates = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value).replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, `"${DATE_TIME}"`))

const resolved = (schema: Schema, named: Schemas): Schema => {
  const name = schema.$ref?.split('/').at(-1)
  return (name && named[name]) || schema
}

const PLACEHOLDERS: Record<string, unknown> = {
  boolean: true,
  integer: 0,
  number: 0,
  string: 'string',
  object: {},
}
const DATE_TIME = '2026-03-02T09:30:00.000Z'

/** The example of a schema, assembled from its parts as documentation tools do. */
export function exampleOf(schema: Schema, named: Schemas = {}): unknown {
  const {
    examples,
    enum: values,
    allOf,
    anyOf,
    items,
    properties,
    required,
    ...rest
  } = resolved(schema, named)
  if (examples) return examples[0]
  if (values) return values[0]
  if (allOf) return Object.assign({}, ...allOf.map((part) => exampleOf(part, named)))
  if (anyOf) return exampleOf(anyOf[0] as Schema, named)
  if (items) return [exampleOf(items, named)]
  if (properties)
    return Object.fromEntries(
      Object.entries(properties)
        .map(([name, property]) => [name, exampleOf(property, named)] as const)
        .filter(([name, value]) => value !== undefined || required?.includes(name)),
    )
  if (rest.format === 'date-time') return DATE_TIME
  return PLACEHOLDERS[[rest.type].flat()[0] ?? '']
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isListOfOne = (schema: Schema, value: unknown): value is unknown[] =>
  schema.items !== undefined && Array.isArray(value) && value.length === 1 && isObject(value[0])

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { formats } from '#src/platform/schema/formats.ts'
import { ErrorBody } from '#src/platform/schema/shapes.ts'
import type { Schema } from '#src/testing/fuzz-values.ts'

interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

/** An operation of the OpenAPI document, with its references resolved. */
export interface Operation {
  method: string
  /** With parameters in braces. */
  path: string
  queryNames: string[]
  bodies: Record<string, Media>
  responses: Record<string, { content?: Record<string, Media> }>
}

interface DocumentedOperation {
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, Media> }
  responses: Operation['responses']
}

/** The operations of an OpenAPI document. */
export function operationsOf(document: object): Operation[] {
  const { paths } = withoutReferences(document, document) as {
    paths: Record<string, Record<string, DocumentedOperation>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      queryNames: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      bodies: requestBody?.content ?? {},
      responses,
    })),
  )
}

/** @param open the references around this part; one of them again, as in a filter within a filter, allows any value */
function withoutReferences(part: unknown, document: object, open: readonly string[] = []): unknown {
  if (Array.isArray(part)) return part.map((item) => withoutReferences(item, document, open))
  if (typeof part !== 'object' || part === null) return part
  if ('$ref' in part) {
    const reference = part.$ref as string
    if (open.includes(reference)) return {}
    const keys = reference.split('/').slice(1)
    // biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON
    const target = keys.reduce((value: any, key) => value[key], document)
    return withoutReferences(target, document, [...open, reference])
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withoutReferences(value, document, open)]),
  )
}

/** Values that the service would accept for the media type. */
export const examplesOf = ({ schema, example, examples = {} }: Media): unknown[] =>
  [...(schema.examples ?? []), example, ...Object.values(examples).map(({ value }) => value)].filter(
    (value) => value !== undefined,
  )

/** The operation that serves this method and path; paths without parameters come first. */
export function operationFor(operations: Operation[], method: string, path: string): Operation | undefined {
  const matches = operations.filter(
    (operation) => operation.method === method && patternOf(operation.path).test(path),
  )
  return matches.find((operation) => operation.path === path) ?? matches[0]
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`)

const ajv = new Ajv2020({ strict: false })
for (const [format, { isValid }] of Object.entries(formats)) ajv.addFormat(format, isValid)
const validators = new Map<object, ValidateFunction>()

/** @returns how the value differs from the schema, or undefined */
export function differenceFrom(schema: object, value: unknown): string | undefined {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** @returns how the value differs from the body of an error, or undefined */
export const differenceFromError = (value: unknown): string | undefined => differenceFrom(ErrorBody, value)

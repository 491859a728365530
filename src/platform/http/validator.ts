import type { FastifySchemaCompiler } from 'fastify'
import { InvalidInput } from '#src/platform/errors.ts'
import { bodyNormalizer, isAbsentParameter, textNormalizer } from '#src/platform/schema/normalize-input.ts'
import { compileValidator } from '#src/platform/schema/validate.ts'

type RouteSchema = Parameters<FastifySchemaCompiler<object>>[0]

/**
 * Fastify's validator. Normalizes values, then reports the first error as a 400 that names the field and the allowed
 * values. Schemas are compiled on first use: compiling all of them would add half a second to every start. A test
 * compiles them all.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = (route) => {
  let validate: ReturnType<typeof compileRoute> | undefined
  return (value: unknown) => {
    validate ??= compileRoute(route)
    return validate(value)
  }
}

/** Compiles what `validatorCompiler` uses. */
export function compileRoute({ schema, httpPart }: Pick<RouteSchema, 'schema' | 'httpPart'>) {
  const find = compileValidator(schema, httpPart)
  const isAbsent = httpPart === 'querystring' ? isAbsentParameter : undefined
  const normalize = httpPart === 'body' ? bodyNormalizer(schema) : textNormalizer(schema, isAbsent)
  return (value: unknown) => {
    const input = normalize(value as Record<string, unknown>)
    const error = find(input)
    return error ? { error: new InvalidInput(error) } : { value: input }
  }
}

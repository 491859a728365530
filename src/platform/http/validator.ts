import type { FastifySchemaCompiler } from 'fastify'
import { InvalidInput } from '#src/platform/errors.ts'
import { bodyNormalizer, isAbsentParameter, textNormalizer } from '#src/platform/schema/normalize-input.ts'
import { compileValidator } from '#src/platform/schema/validate.ts'

type RouteSchema = Parameters<FastifySchemaCompiler<object>>[0]

/**
 * Fastify's validator. Normalizes values, then reports the first error as a 400 that names the field and the allowed
 * values. A schema is compiled for its first request: compiling all of them takes half a second, which every start
 * would pay. A test compiles them all.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = (route) => {
  let validate: ReturnType<typeof compile> | undefined
  return (value: unknown) => {
    validate ??= compile(route)
    return validate(value)
  }
}

function compile({ schema, httpPart }: RouteSchema) {
  const find = compileValidator(schema, httpPart)
  const isAbsent = httpPart === 'querystring' ? isAbsentParameter : undefined
  const normalize = httpPart === 'body' ? bodyNormalizer(schema) : textNormalizer(schema, isAbsent)
  return (value: unknown) => {
    const input = normalize(value as Record<string, unknown>)
    const fault = find(input)
    return fault ? { error: new InvalidInput(fault) } : { value: input }
  }
}

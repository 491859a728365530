import type { FastifySchemaCompiler } from 'fastify'
import { InvalidInput } from '#src/platform/errors.ts'
import { bodyNormalizer, isAbsentParameter, textNormalizer } from '#src/platform/schema/normalize-input.ts'
import { faultOf } from '#src/platform/schema/validate.ts'

/**
 * Fastify's validator. Values are normalized first; then the first fault becomes a 400 that names the field, what it was
 * and what is allowed.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const find = faultOf(schema, httpPart)
  const isAbsent = httpPart === 'querystring' ? isAbsentParameter : undefined
  const normalize = httpPart === 'body' ? bodyNormalizer(schema) : textNormalizer(schema, isAbsent)
  return (value: unknown) => {
    const input = normalize(value as Record<string, unknown>)
    const fault = find(input)
    return fault ? { error: new InvalidInput(fault) } : { value: input }
  }
}

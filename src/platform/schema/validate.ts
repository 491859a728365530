import { Ajv } from 'ajv'
import { describe } from './describe-fault.ts'
import { formats } from './formats.ts'
import { unstorable } from './unstorable.ts'

const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  verbose: true,
  strict: false,
})
for (const [format, { isValid }] of Object.entries(formats)) ajv.addFormat(format, isValid)

/**
 * Makes what checks values against a schema.
 * @param part of the request that the values are, as a sentence about one names it
 * @returns what is wrong with a value, as a sentence, or `undefined`
 */
export function faultOf(schema: object, part = 'body'): (value: unknown) => string | undefined {
  const validate = ajv.compile(schema)
  return (value) =>
    unstorable(value, '', 0) ?? (validate(value) ? undefined : describe(validate.errors?.[0], part))
}

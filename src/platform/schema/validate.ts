import { Ajv } from 'ajv'
import { describe, jsonBytes } from './describe-fault.ts'
import { formats } from './formats.ts'
import { unstorable } from './unstorable.ts'

const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  verbose: true,
  strict: false,
})
ajv.addKeyword({
  keyword: 'x-max-bytes',
  validate: (most: number, value: unknown) => value === null || jsonBytes(value) <= most,
})
for (const [format, { isValid }] of Object.entries(formats)) ajv.addFormat(format, isValid)

/**
 * Makes what checks values against a schema.
 * @param part of the request that the values are, as a sentence about one names it
 * @returns what is wrong with a value, as a sentence, or `undefined`
 */
export function faultOf(schema: object, part = 'body'): (value: unknown) => string | undefined {
  const validate = ajv.compile(schema)
  const readOnly = readOnlyFields(schema)
  return (value) =>
    unstorable(without(readOnly, value), '', 0) ??
    (validate(value) ? undefined : describe(validate.errors?.[0], part))
}

/** They are compared and never stored. */
const readOnlyFields = ({
  properties = {},
}: {
  properties?: Record<string, { readOnly?: boolean }>
}): string[] => Object.keys(properties).filter((name) => properties[name]?.readOnly)

function without(names: string[], value: unknown): unknown {
  if (names.length === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

import { Ajv } from 'ajv'
import { describeError, jsonBytes } from './describe-fault.ts'
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
 * Compiles a schema into a function that returns the first problem of a value as a sentence, or `undefined`.
 * @param part the request part that the values come from, for the wording
 */
export function compileValidator(schema: object, part = 'body'): (value: unknown) => string | undefined {
  const validate = ajv.compile(schema)
  const readOnly = readOnlyFields(schema)
  return (value) =>
    unstorable(without(readOnly, value), '', 0) ??
    (validate(value) ? undefined : describeError(validate.errors?.[0], part))
}

/** Read-only fields are compared and never stored, so they may hold any JSON. */
const readOnlyFields = ({
  properties = {},
}: {
  properties?: Record<string, { readOnly?: boolean }>
}): string[] => Object.keys(properties).filter((name) => properties[name]?.readOnly)

function without(names: string[], value: unknown): unknown {
  if (names.length === 0 || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

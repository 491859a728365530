import { normalizeCountryCode } from './countries.ts'
import { normalizeName, normalizeText, normalizeTexts } from './normalize-text.ts'
import { WORD_PATTERN } from './shapes.ts'

/** The parts of a JSON schema that normalization uses. */
export interface NormalizedSchema {
  type?: string | string[]
  properties?: Record<string, NormalizedSchema>
  items?: NormalizedSchema
  maximum?: number
  readOnly?: boolean
  'x-normalize'?: Normalization
  'x-capped'?: boolean
  'x-repeated'?: boolean
}

/**
 * How to normalize text before it is stored or compared. All texts of a body are normalized like `text`, those of a query
 * only where the schema has `x-normalize`, because they may quote what is stored elsewhere, such as the columns of a file.
 */
export type Normalization = 'text' | 'name' | 'word' | 'country_code' | 'email'

const WORD = new RegExp(WORD_PATTERN)

/** Normalizes and trims a text, and turns each run of white space into one space. */
export const normalizeSpaces = (text: string): string => normalizeText(text).trim().replace(/\s+/g, ' ')

/** Turns "Due Diligence" and "due-diligence" into `due_diligence`. Text that does not form a word stays unchanged. */
export function normalizeWord(text: string): string {
  const word = normalizeName(text)
    .trim()
    .toLowerCase()
    .replace(/[\s_\p{Pd}]+/gu, '_')
    .replace(/^_|_$/g, '')
  return WORD.test(word) ? word : text
}

/** An email address in the form in which it is stored and compared. */
export const normalizeEmail = (text: string): string => normalizeName(text).trim().toLowerCase()

const NORMALIZATIONS: Record<Normalization, (text: string) => string> = {
  text: normalizeText,
  name: normalizeName,
  word: normalizeWord,
  country_code: normalizeCountryCode,
  email: normalizeEmail,
}

type Normalize = (value: unknown) => unknown

/**
 * Creates a function that normalizes a body in place: all texts, then words, names, country codes, email addresses, and
 * empty strings to null where null is allowed. Read-only fields are ignored, so they stay as they are.
 */
export function bodyNormalizer(schema: NormalizedSchema): Normalize {
  const normalize = normalizerOf(schema) ?? asIs
  const fields = Object.entries(schema.properties ?? {})
  const readOnly = new Set(fields.flatMap(([name, field]) => (field.readOnly ? [name] : [])))
  return (body) => normalize(normalizeTexts(body, readOnly))
}

/**
 * Creates a function that converts query, path and header values, which are all text, to the types in their schema.
 * Values that do not fit stay unchanged for validation to reject.
 * @param isAbsent selects the values to drop
 */
export function textNormalizer(
  { properties = {} }: NormalizedSchema,
  isAbsent: (name: string, value: unknown) => boolean = () => false,
) {
  return (values: Record<string, unknown>): Record<string, unknown> => {
    const typed: Record<string, unknown> = Object.create(null)
    for (const [name, value] of Object.entries(values)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (isAbsent(name, value)) continue
      const converted = schema ? fromTexts(schema, value) : value
      if (!isAbsent(name, converted)) typed[name] = converted
    }
    return typed
  }
}

/** A list may be a repeated parameter or, unless its values may have commas, one text. */
function fromTexts(schema: NormalizedSchema, value: unknown): unknown {
  if (schema.type !== 'array') return typeof value === 'string' ? fromText(schema, value) : value
  if (schema['x-repeated']) {
    const input = [value].flat().filter((text) => text !== '')
    return input.length > 0 ? input.map((text) => fromText(schema.items ?? {}, String(text))) : undefined
  }
  const texts = [value].flat().flatMap((text) => String(text).split(','))
  return texts.map((text) => fromText(schema.items ?? {}, text))
}

/** Empty query values are ignored, and so is `_`, which clients add to bypass caches. */
export const isAbsentParameter = (name: string, value: unknown): boolean => value === '' || name === '_'

const asIs: Normalize = (value) => value

function normalizerOf(schema: NormalizedSchema): Normalize | undefined {
  const types = [schema.type].flat()
  const isNullable = types.includes('null')
  const normalization = schema['x-normalize']
  const normalizeText = normalization && NORMALIZATIONS[normalization]
  const normalizeObject = schema.properties && propertiesNormalizer(schema.properties)
  const normalizeItem = schema.items && normalizerOf(schema.items)
  const { maximum = Number.POSITIVE_INFINITY, 'x-capped': isCapped } = schema
  if (!isNullable && !normalizeText && !normalizeObject && !normalizeItem && !isCapped) return undefined
  return (value) => {
    if (Array.isArray(value)) return normalizeItem ? value.map(normalizeItem) : value
    if (isCapped && typeof value === 'number') return Math.min(value, maximum)
    if (typeof value !== 'string') return normalizeObject ? normalizeObject(value) : value
    if (isNullable && value === '') return null
    return normalizeText ? normalizeText(value) : value
  }
}

function propertiesNormalizer(properties: Record<string, NormalizedSchema>): Normalize | undefined {
  const normalizers = Object.entries(properties).flatMap(([name, schema]) => {
    const normalize = normalizerOf(schema)
    return normalize ? [[name, normalize] as const] : []
  })
  if (normalizers.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const fields = value as Record<string, unknown>
    for (const [name, normalize] of normalizers)
      if (Object.hasOwn(fields, name)) fields[name] = normalize(fields[name])
    return fields
  }
}

function fromText(schema: NormalizedSchema, text: string): unknown {
  const { type, maximum = Number.POSITIVE_INFINITY, 'x-capped': isCapped } = schema
  const normalization = schema['x-normalize']
  if (normalization) return NORMALIZATIONS[normalization](text)
  if (type === 'integer' && isCapped && /^\d+$/.test(text)) return Math.min(Number(text), maximum)
  if (type === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text)
  if (type === 'number' && /^-?\d{1,16}(\.\d{1,16})?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return text
}

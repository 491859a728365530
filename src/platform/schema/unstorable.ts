import { fieldName } from './describe-error.ts'

/** JSON may be nested this deep. */
export const MAX_DEPTH = 20

/**
 * Describes a JSON value that PostgreSQL cannot store: NUL, lone surrogates, infinite numbers or excessive nesting.
 */
export const unstorable = (value: unknown): string | undefined =>
  isStorable(value, 0) ? undefined : unstorableError(value, '', 0)

/** Large values are checked without the names of their parts, which take ten times as long. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(value)) {
    for (const item of value) if (!isStorable(item, depth + 1)) return false
    return true
  }
  for (const key in value)
    if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key], depth + 1)) return false
  return true
}

/** NUL, or half of a surrogate pair. */
const UNSTORABLE_TEXT = /[\0\p{Surrogate}]/u
const isStorableText = (text: string): boolean => !UNSTORABLE_TEXT.test(text)

function unstorableError(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value === 'string') return textError(value, path)
  if (typeof value === 'number' && !Number.isFinite(value))
    return `${fieldName(path)} must be a finite number.`
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return `${fieldName(path)} is nested deeper than ${MAX_DEPTH} levels.`
  for (const [key, item] of Object.entries(value)) {
    const error = textError(key, path) ?? unstorableError(item, `${path}/${key}`, depth + 1)
    if (error) return error
  }
  return undefined
}

function textError(text: string, path: string): string | undefined {
  if (text.includes('\0')) return `${fieldName(path)} must not contain the NUL character.`
  if (!text.isWellFormed()) return `${fieldName(path)} must not contain a lone surrogate (U+D800 to U+DFFF).`
  return undefined
}

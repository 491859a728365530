import { fieldName } from './describe-fault.ts'

const MAX_DEPTH = 20

/**
 * Describes a JSON value that PostgreSQL cannot store: NUL, lone surrogates, infinite numbers or excessive nesting.
 */
export function unstorable(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value === 'string') return unstorableText(value, path)
  if (typeof value === 'number' && !Number.isFinite(value))
    return `${fieldName(path)} must be a finite number.`
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return `${fieldName(path).slice(0, 100)} is nested deeper than ${MAX_DEPTH} levels.`
  if (Array.isArray(value)) return unstorableItem(value, path, depth)
  for (const [key, item] of Object.entries(value)) {
    const problem = unstorableText(key, path) ?? unstorable(item, `${path}/${key}`, depth + 1)
    if (problem) return problem
  }
  return undefined
}

/** Avoids allocations for numbers, because vectors have many of them. */
function unstorableItem(items: unknown[], path: string, depth: number): string | undefined {
  for (const [index, item] of items.entries()) {
    if (typeof item === 'number' && Number.isFinite(item)) continue
    const problem = unstorable(item, `${path}/${index}`, depth + 1)
    if (problem) return problem
  }
  return undefined
}

function unstorableText(text: string, path: string): string | undefined {
  if (text.includes('\0')) return `${fieldName(path)} must not contain the NUL character.`
  if (!text.isWellFormed()) return `${fieldName(path)} must not contain a lone surrogate (U+D800 to U+DFFF).`
  return undefined
}

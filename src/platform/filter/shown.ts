import { shown } from '#src/platform/schema/describe-error.ts'
import { truncate } from '#src/platform/truncate.ts'

/** A value as a message quotes it. Does not serialize a large value to show its start. */
export function shownShort(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return shown(typeof value === 'string' ? truncate(value, 100) : value)
}

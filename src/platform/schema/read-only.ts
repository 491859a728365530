import { isDeepStrictEqual } from 'node:util'
import { InvalidInput } from '#src/platform/errors.ts'
import { shown } from './describe-fault.ts'
import { parseExactJson } from './exact-json.ts'

/**
 * Removes read-only fields that the caller sent back unchanged.
 * @param readOnly the read-only names that the body's schema accepts
 * @param read returns the record as JSON, as the API shows it; only called if needed
 * @throws InvalidInput for a read-only field with a different value
 */
export async function withoutReadOnly<T extends object>(
  body: T,
  readOnly: readonly string[],
  read: () => Promise<string | undefined>,
): Promise<T> {
  const given = readOnly.filter((name) => Object.hasOwn(body, name))
  if (given.length === 0) return body
  const sent = body as Record<string, unknown>
  const record = parseExactJson((await read()) ?? '{}') as Record<string, unknown>
  const differing = given.find((name) => !isDeepStrictEqual(sent[name], record[name] ?? null))
  if (differing === 'updated_at')
    throw new InvalidInput(
      `updated_at cannot be changed: its value is ${shown(record.updated_at)}, not ${shown(sent.updated_at)}. The record has changed since it was read. Read it again, or omit updated_at to overwrite it.`,
    )
  if (differing)
    throw new InvalidInput(
      `${differing} cannot be changed: its value is ${shown(record[differing] ?? null)}, not ${shown(sent[differing])}. Omit it, or send the value that was read.`,
    )
  return Object.fromEntries(Object.entries(body).filter(([name]) => !given.includes(name))) as T
}

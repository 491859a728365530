import { isDeepStrictEqual } from 'node:util'
import { InvalidInput } from '#src/platform/errors.ts'
import { shown } from './describe-fault.ts'

/**
 * The fields of a body that change a record, without the read-only ones that its caller has sent back as they were read.
 * @param readOnly the names that the body's schema allows beside the writable fields
 * @param read gives the record as JSON, as the API shows it; called only where it is needed
 * @throws InvalidInput for a read-only field whose value is not the record's
 */
export async function withoutReadOnly<T extends object>(
  body: T,
  readOnly: readonly string[],
  read: () => Promise<string | undefined>,
): Promise<T> {
  const given = readOnly.filter((name) => Object.hasOwn(body, name))
  if (given.length === 0) return body
  const sent = body as Record<string, unknown>
  const record = JSON.parse((await read()) ?? '{}') as Record<string, unknown>
  const differing = given.find((name) => !isDeepStrictEqual(sent[name], record[name] ?? null))
  if (differing === 'updated_at')
    throw new InvalidInput(
      `updated_at cannot be changed: it is ${shown(record.updated_at)} now, not ${shown(sent.updated_at)}. The record has changed since it was read. Read it again, or leave updated_at out to change it all the same.`,
    )
  if (differing)
    throw new InvalidInput(
      `${differing} cannot be changed: it is ${shown(record[differing] ?? null)} now, not ${shown(sent[differing])}. Leave it out, or send it back as it was read.`,
    )
  return Object.fromEntries(Object.entries(body).filter(([name]) => !given.includes(name))) as T
}

import type { Context } from '#src/context.ts'
import { isOutOfResources, isReadOnly } from '#src/platform/database/errors.ts'
import { NotFound } from '#src/platform/errors.ts'
import { isAllowed } from '#src/platform/identity/allowlist.ts'
import { hashToken } from './create.ts'
import { calendarFile } from './icalendar.ts'
import { findOwner, readEntries, recordReading } from './store.ts'

const SUFFIX = '.ics'

/**
 * Reads a calendar by its secret address. An unknown one costs one lookup in an index, whatever it looks like.
 * @param file the token, followed by .ics
 * @throws NotFound for an unknown address, and while its user may not sign in
 */
export async function readCalendarFile(
  { access, config, db }: Pick<Context, 'access' | 'config' | 'db'>,
  file: string,
): Promise<string> {
  const token_hash = hashToken(file.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : '')
  await access.whenUsable()
  const email = await findOwner(db, token_hash)
  const mayRead =
    email !== undefined &&
    isAllowed(email, config.authentication) &&
    !access.isErased(email) &&
    !access.userOf(email).isDisabled
  if (!mayRead)
    throw new NotFound('There is no calendar at this address. It may have been replaced or revoked.')
  const entries = await readEntries(db, email)
  // A calendar that can be read does not fail because its reading cannot be written.
  await recordReading(db, token_hash).catch((error: unknown) => {
    if (!isReadOnly(error) && !isOutOfResources(error)) throw error
  })
  return calendarFile(entries, { name: config.workspaceName ?? 'Deal pipeline', publicUrl: config.publicUrl })
}

import { sql } from 'kysely'
import type { NewActivity } from '#src/features/activity/index.ts'
import { purgeFiles } from '#src/features/files/index.ts'
import { removeNotificationsAbout } from '#src/features/notifications/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { Contact } from './contact.ts'
import type { ContactPattern } from './contact-pattern.ts'
import { type Count, eraseFromRecords, type LinkedTexts, lockRecordsAbout } from './linked-records.ts'

/** Files are also found by what they contain. */
export const FILE_TEXTS: LinkedTexts = {
  ...{ table: 'files', entity_type: 'file', column: 'name' },
  alsoHas: (patterns) => sql`(
    exists (select from file_versions where file_id = every_record.id and details::text ilike any(${patterns}::text[]))
    or exists (select from file_pages where file_id = every_record.id and text ilike any(${patterns}::text[])))`,
}

/**
 * Deletes the files that are about a contact alone. Replaces the contact's details in the names of the others, also of those
 * in the trash and in their history, and removes their links to the contact. What they contain stays.
 * @returns the activity of the changed and deleted files, and the ids of all others that were searched
 */
export async function eraseFromFiles(
  transaction: Db,
  contact: Contact,
  pattern: ContactPattern,
  count: Count,
): Promise<{ activities: NewActivity[]; searched: string[] }> {
  const found = await lockRecordsAbout(transaction, FILE_TEXTS, contact)
  const { rows: alone } = await sql<{ id: string }>`
    select record_id as id from links where record_id = any(${found}) and relation = 'about'
    group by record_id having bool_and(target_id = any(${contact.ids})) order by record_id`.execute(
    transaction,
  )
  const purged = await purgeFiles(transaction, idsOf(alone))
  await removeNotificationsAbout(transaction, idsOf(alone))
  count('files', purged.length)
  const deleted = new Set(idsOf(alone))
  const searched = found.filter((id) => !deleted.has(id))
  const changed = await eraseFromRecords(transaction, FILE_TEXTS, { contact, pattern, searched }, count)
  return { activities: [...purged, ...changed], searched }
}

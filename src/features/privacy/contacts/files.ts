import { type RawBuilder, sql } from 'kysely'
import type { NewActivity } from '#src/features/activity/index.ts'
import { purgeFiles } from '#src/features/files/index.ts'
import { removeNotificationsAbout } from '#src/features/notifications/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { laterThan } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'
import { addressPatterns, type Contact, companiesOf } from './contact.ts'
import type { ContactPattern, IsText } from './contact-pattern.ts'
import { replaceTexts } from './replace-texts.ts'

const isFileText: IsText = (field, isInText) => isInText || field === 'name'

/**
 * The query for the ids of the files that may name a contact, also of those in the trash: those that are or were about the
 * contact, those about companies that the contact is linked to or was, or about deals of these, and those whose names or
 * contents have an email address or a web address of theirs, now or before.
 */
export function filesAbout({ ids, details }: Contact): RawBuilder<unknown> {
  const patterns = addressPatterns(details)
  return sql`
    with named as materialized (
        select id from unnest(${ids}::text[]) id
        union select id from (${companiesOf(ids)}) companies
        union select id from dealflow where company_id in (select id from (${companiesOf(ids)}) companies)),
      every_file as materialized (
        select id, name as text from files
        union all select id, content::text from trash where entity_type = 'file')
    select id from every_file
    where id in (select record_id from links where target_id in (select id from named))
      or text ilike any(${patterns}::text[])
      or exists (select from file_versions where file_id = every_file.id and details::text ilike any(${patterns}::text[]))
      or exists (select from file_pages where file_id = every_file.id and text ilike any(${patterns}::text[]))
      or exists (select from activity where activity.entity_id = every_file.id and changes is not null
        and (changes::text ilike any(${patterns}::text[])
          or exists (select from json_object_keys(changes) field where split_part(field, '.', 2) = any(${ids}))))`
}

/**
 * Deletes the files that are about a contact alone. Replaces the contact's details in the names of the others, also of those
 * in the trash and in their history, and removes their links to the contact. What they contain stays.
 * @param count adds to the number of changed rows of a table
 * @returns the activity of the changed and deleted files, and the ids of all others that were searched
 */
export async function eraseFromFiles(
  transaction: Db,
  contact: Contact,
  pattern: ContactPattern,
  count: (table: string, rows: number) => void,
): Promise<{ activities: NewActivity[]; searched: string[] }> {
  const { rows: found } = await sql<{ id: string }>`
    select id from (${filesAbout(contact)}) file order by id`.execute(transaction)
  for (const table of ['trash', 'files'])
    await sql`select from ${sql.table(table)} where id = any(${idsOf(found)}) order by id for update`.execute(
      transaction,
    )
  const { rows: alone } = await sql<{ id: string }>`
    select record_id as id from links where record_id = any(${idsOf(found)}) and relation = 'about'
    group by record_id having bool_and(target_id = any(${contact.ids})) order by record_id`.execute(
    transaction,
  )
  const purged = await purgeFiles(transaction, idsOf(alone))
  await removeNotificationsAbout(transaction, idsOf(alone))
  count('files', purged.length)
  const deleted = new Set(idsOf(alone))
  const searched = idsOf(found).filter((id) => !deleted.has(id))
  const { rows: links } = await sql<{ id: string }>`
    delete from links where target_id = any(${contact.ids}) and record_id = any(${searched})
    returning record_id as id`.execute(transaction)
  count('links', links.length)
  const { rows: records } = await sql<{ id: string }>`
    select id from activity where entity_id = any(${searched}) and changes is not null`.execute(transaction)
  const erase = async (table: string, columns: Record<string, 'text' | IsText>, keys: readonly string[]) => {
    const changed = await replaceTexts(transaction, { table, columns }, keys, pattern)
    count(table, changed.size)
    return changed
  }
  await erase('trash', { name: 'text', content: isFileText }, searched)
  await erase('activity', { changes: isFileText }, idsOf(records))
  const changed = await erase('files', { name: 'text' }, searched)
  for (const { id } of links) changed.set(id, [...(changed.get(id) ?? []), 'about'])
  const { rows } = await sql<{ id: string; updated_at: Date }>`
    update files set updated_at = ${laterThan('updated_at')}
    where id = any(${[...changed.keys()]}) returning id, updated_at`.execute(transaction)
  const activities = rows.map(
    ({ id, updated_at }): NewActivity => ({
      ...{ activity_type: 'file_updated', entity_type: 'file', entity_id: id },
      metadata: { fields: changed.get(id) },
      timestamp: updated_at.toISOString(),
    }),
  )
  return { activities: [...purged, ...activities], searched }
}

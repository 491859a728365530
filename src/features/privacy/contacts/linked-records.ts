import { type RawBuilder, sql } from 'kysely'
import type { NewActivity } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { laterThan } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'
import { addressPatterns, type Contact, companiesOf } from './contact.ts'
import type { ContactPattern, IsText } from './contact-pattern.ts'
import { replaceTexts } from './replace-texts.ts'

/** Records that are about others, and whose text is one column. */
export interface LinkedTexts {
  table: 'tasks' | 'files'
  entity_type: 'task' | 'file'
  column: 'title' | 'name'
  /** A further condition by which `every_record` is found. @param patterns of addresses, for `ilike` */
  alsoHas?: (patterns: readonly string[]) => RawBuilder<unknown>
}

/** Adds to the number of changed rows of a table. */
export type Count = (table: string, rows: number) => void

/**
 * The query for the ids of the records that may name a contact, also of those in the trash: those that are or were about the
 * contact, those about companies that the contact is linked to or was, or about deals of these, and those with an email
 * address or a web address of theirs, now or before.
 */
export function recordsAbout(
  { table, entity_type, column, alsoHas = () => sql`false` }: LinkedTexts,
  { ids, details }: Contact,
): RawBuilder<unknown> {
  const patterns = addressPatterns(details)
  return sql`
    with named as materialized (
        select id from unnest(${ids}::text[]) id
        union select id from (${companiesOf(ids)}) companies
        union select id from dealflow where company_id in (select id from (${companiesOf(ids)}) companies)),
      every_record as materialized (
        select id, ${sql.ref(column)} as text from ${sql.table(table)}
        union all select id, content::text from trash where entity_type = ${entity_type})
    select id from every_record
    where id in (select record_id from links where target_id in (select id from named))
      or text ilike any(${patterns}::text[]) or ${alsoHas(patterns)}
      or exists (select from activity where activity.entity_id = every_record.id and changes is not null
        and (changes::text ilike any(${patterns}::text[])
          or exists (select from json_object_keys(changes) field where split_part(field, '.', 2) = any(${ids}))))`
}

/** Finds the records that may name a contact, and locks them until the transaction ends. @returns their ids */
export async function lockRecordsAbout(
  transaction: Db,
  kind: LinkedTexts,
  contact: Contact,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (${recordsAbout(kind, contact)}) record order by id`.execute(transaction)
  for (const table of ['trash', kind.table])
    await sql`select from ${sql.table(table)} where id = any(${idsOf(rows)}) order by id for update`.execute(
      transaction,
    )
  return idsOf(rows)
}

/**
 * Replaces a contact's details in records, in those in the trash, and in their history, and removes the links to the contact.
 * @param searched the ids of the locked records
 * @returns the activity of those that have changed
 */
export async function eraseFromRecords(
  transaction: Db,
  { table, entity_type, column }: LinkedTexts,
  { contact, pattern, searched }: { contact: Contact; pattern: ContactPattern; searched: readonly string[] },
  count: Count,
): Promise<NewActivity[]> {
  const isOwnText: IsText = (field, isInText) => isInText || field === column
  const { rows: links } = await sql<{ id: string }>`
    delete from links where target_id = any(${contact.ids}) and record_id = any(${searched})
    returning record_id as id`.execute(transaction)
  count('links', links.length)
  const { rows: records } = await sql<{ id: string }>`
    select id from activity where entity_id = any(${searched}) and changes is not null`.execute(transaction)
  const erase = async (name: string, columns: Record<string, 'text' | IsText>, keys: readonly string[]) => {
    const changed = await replaceTexts(transaction, { table: name, columns }, keys, pattern)
    count(name, changed.size)
    return changed
  }
  await erase('trash', { name: 'text', content: isOwnText }, searched)
  await erase('activity', { changes: isOwnText }, idsOf(records))
  const changed = await erase(table, { [column]: 'text' }, searched)
  for (const { id } of links) changed.set(id, [...(changed.get(id) ?? []), 'about'])
  const { rows } = await sql<{ id: string; updated_at: Date }>`
    update ${sql.table(table)} set updated_at = ${laterThan('updated_at')}
    where id = any(${[...changed.keys()]}) returning id, updated_at`.execute(transaction)
  return rows.map(({ id, updated_at }) => ({
    ...{ activity_type: `${entity_type}_updated`, entity_type, entity_id: id },
    metadata: { fields: changed.get(id) },
    timestamp: updated_at.toISOString(),
  }))
}

import { type RawBuilder, sql } from 'kysely'
import type { NewActivity } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { laterThan } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'
import { addressPatterns, type Contact, companiesOf } from './contact.ts'
import type { ContactPattern, IsText } from './contact-pattern.ts'
import { replaceTexts } from './replace-texts.ts'

const isTaskText: IsText = (field, isInText) => isInText || field === 'title'

/**
 * The query for the ids of the tasks that may name a contact, also of those in the trash: those that are or were about the
 * contact, those about companies that the contact is linked to or was, or about deals of these, and those with an email
 * address or a web address of theirs, now or before.
 */
export function tasksAbout({ ids, details }: Contact): RawBuilder<unknown> {
  const patterns = addressPatterns(details)
  return sql`
    with named as materialized (
        select id from unnest(${ids}::text[]) id
        union select id from (${companiesOf(ids)}) companies
        union select id from dealflow where company_id in (select id from (${companiesOf(ids)}) companies)),
      every_task as materialized (
        select id, title as text from tasks
        union all select id, content::text from trash where entity_type = 'task')
    select id from every_task
    where id in (select record_id from links where target_id in (select id from named))
      or text ilike any(${patterns}::text[])
      or exists (select from activity where activity.entity_id = every_task.id and changes is not null
        and (changes::text ilike any(${patterns}::text[])
          or exists (select from json_object_keys(changes) field where split_part(field, '.', 2) = any(${ids}))))`
}

/**
 * Replaces a contact's details in tasks, in those in the trash, and in their history, and removes the links to the contact.
 * @param count adds to the number of changed rows of a table
 * @returns the activity of the changed tasks, and the ids of all that were searched
 */
export async function eraseFromTasks(
  transaction: Db,
  contact: Contact,
  pattern: ContactPattern,
  count: (table: string, rows: number) => void,
): Promise<{ activities: NewActivity[]; searched: string[] }> {
  const { rows: found } = await sql<{ id: string }>`
    select id from (${tasksAbout(contact)}) task order by id`.execute(transaction)
  const searched = idsOf(found)
  for (const table of ['trash', 'tasks'])
    await sql`select from ${sql.table(table)} where id = any(${searched}) order by id for update`.execute(
      transaction,
    )
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
  await erase('trash', { name: 'text', content: isTaskText }, searched)
  await erase('activity', { changes: isTaskText }, idsOf(records))
  const changed = await erase('tasks', { title: 'text' }, searched)
  for (const { id } of links) changed.set(id, [...(changed.get(id) ?? []), 'about'])
  const { rows } = await sql<{ id: string; updated_at: Date }>`
    update tasks set updated_at = ${laterThan('updated_at')}
    where id = any(${[...changed.keys()]}) returning id, updated_at`.execute(transaction)
  const activities = rows.map(
    ({ id, updated_at }): NewActivity => ({
      ...{ activity_type: 'task_updated', entity_type: 'task', entity_id: id },
      metadata: { fields: changed.get(id) },
      timestamp: updated_at.toISOString(),
    }),
  )
  return { activities, searched }
}

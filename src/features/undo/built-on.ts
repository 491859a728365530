import { type RawBuilder, sql } from 'kysely'
import { isMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { PERMISSIONS } from '#src/platform/http/security/permissions.ts'
import { firstIdAt, idTime } from '#src/platform/ids.ts'
import type { Skipped } from './schema.ts'

/** Whose action created the records, and which one it was. */
export interface Creation {
  action_id: string
  user_email: string | null
}

export interface BuiltOn {
  id: string
  reason: 'built_on' | 'too_many_records'
}

type Condition = (creation: Creation) => RawBuilder<unknown>

/** Work of other people since the action began. Changes that the service makes without a user do not count. */
const byOthers = ({ action_id, user_email }: Creation): RawBuilder<unknown> =>
  sql`activity.id >= ${firstIdAt('act', idTime(action_id))} and activity.action_id is distinct from ${action_id}
    and activity.user_email <> coalesce(${user_email}::text, '')`

/** Records that others merged into it. */
const mergedByOthers = ({ user_email }: Creation): RawBuilder<unknown> => sql`
  exists (select from trash where trash.company_id = record.id and ${isMerged}
    and trash.user_email <> coalesce(${user_email}::text, ''))`

const verdictBy = ({ user_email }: Creation) => sql`verdict.user_email <> coalesce(${user_email}::text, '')`

/**
 * Notes, tasks, and files of others about these records, or in which they took part, with replies: some would be in no list without
 * the record.
 * Private ones count too: that there is one says nothing about it.
 */
const notesOfOthers = (
  { action_id, user_email }: Creation,
  ids: RawBuilder<unknown> = sql`select record.id`,
): RawBuilder<unknown> => sql`
  exists (select from links cross join lateral (
      select id, author_email from notes where notes.id = links.record_id
      union all select id, author_email from notes where notes.parent_id = links.record_id
      union all select id, author_email from tasks where tasks.id = links.record_id
      union all select id, uploaded_by from files where files.id = links.record_id) note
    where links.target_id in (${ids}) and note.author_email is distinct from ${user_email}::text
      and not exists (select from activity where activity.entity_id = note.id
        and activity.action_id = ${action_id} and activity.activity_type in (
          'note_created', 'note_restored', 'task_created', 'task_restored', 'file_created', 'file_restored')))`

/** Deals that the record brought, and that others have changed. */
const broughtDeals: Condition = (creation) => sql`
  exists (select from dealflow join activity on activity.entity_id = dealflow.id
    where dealflow.source_id = record.id and ${byOthers(creation)})`

/**
 * Changes of a company and its deals and decisions, others' deals, also those it brought, companies that others merged into it, verdicts
 * on it, and notes about it or its deals.
 */
const companies: Condition = (creation) => sql`
  exists (select from activity where activity.company_id = record.id and ${byOthers(creation)})
  or ${broughtDeals(creation)}
  or exists (select from dealflow join activity on activity.entity_id = dealflow.id
    where dealflow.company_id = record.id and ${byOthers(creation)})
  or ${mergedByOthers(creation)}
  or exists (select from thesis_verdicts verdict where verdict.company_id = record.id and ${verdictBy(creation)})
  or ${notesOfOthers(
    creation,
    sql`select record.id union all select dealflow.id from dealflow where dealflow.company_id = record.id`,
  )}`

/** Changes of the record itself, such as votes on a decision. */
const recordItself: Condition = (creation) => sql`
  exists (select from activity where activity.entity_id = record.id and ${byOthers(creation)})`

/** Changes of a deal, and notes about it. */
const deals: Condition = (creation) => sql`${recordItself(creation)} or ${notesOfOthers(creation)}`

/** Changes of a person, people whom others merged into them, deals that the person brought, and notes that name them. */
const people: Condition = (creation) =>
  sql`${recordItself(creation)} or ${mergedByOthers(creation)} or ${broughtDeals(creation)} or ${notesOfOthers(creation)}`

/** Changes of the note and of its replies. */
const notes: Condition = (creation) => sql`
  exists (select from activity where ${byOthers(creation)} and activity.entity_id in (
    select record.id union all select reply.id from notes reply where reply.parent_id = record.id))`

/** Changes of a thesis, bulk actions with it, verdicts on its matches, links from companies that others made, and notes about it. */
const theses: Condition = (creation) => sql`
  ${recordItself(creation)}
  or exists (select from bulk_actions where bulk_actions.thesis_id = record.id
    and bulk_actions.user_email <> coalesce(${creation.user_email}::text, ''))
  or exists (select from thesis_verdicts verdict where verdict.thesis_id = record.id and ${verdictBy(creation)})
  or exists (select from companies where companies.thesis_id = record.id and coalesce((
    select activity.user_email <> coalesce(${creation.user_email}::text, '') from activity
    where activity.company_id = companies.id and activity.entity_id = companies.id
      and (activity.activity_type = 'company_created' or activity.changes -> 'thesis_id' is not null)
    order by activity.id desc limit 1), false))
  or ${notesOfOthers(creation)}`

const KINDS: Record<Skipped['entity_type'], { table: string; isBuiltOn: Condition }> = {
  company: { table: 'companies', isBuiltOn: companies },
  dealflow: { table: 'dealflow', isBuiltOn: deals },
  thesis: { table: 'theses', isBuiltOn: theses },
  person: { table: 'people', isBuiltOn: people },
  note: { table: 'notes', isBuiltOn: notes },
  decision: { table: 'decisions', isBuiltOn: recordItself },
  task: { table: 'tasks', isBuiltOn: recordItself },
  file: { table: 'files', isBuiltOn: recordItself },
}

/**
 * Of records that a user created, those that only the permission to delete may remove: others have built on them, or more
 * records would change than a member may change at once. All of them are locked until the transaction ends.
 */
export async function findBuiltOn(
  transaction: Db,
  entity_type: Skipped['entity_type'],
  ids: string[],
  creation: Creation,
): Promise<BuiltOn[]> {
  const { table, isBuiltOn } = KINDS[entity_type]
  await sql`select from ${sql.table(table)} where id = any(${ids}) order by id for update`.execute(
    transaction,
  )
  const { rows } = await sql<BuiltOn>`
    select id, 'built_on' as reason from ${sql.table(table)} record
    where id = any(${ids}) and (${isBuiltOn(creation)}) order by id`.execute(transaction)
  if (entity_type !== 'thesis') return rows
  const limit = PERMISSIONS.write.beyond.records
  const { rows: large } = await sql<BuiltOn>`
    select id, 'too_many_records' as reason from theses record
    where id = any(${ids}) and id <> all(${rows.map(({ id }) => id)}) and
      (select count(*) from (select from companies where thesis_id = record.id limit ${limit + 1}) links) > ${limit}
    order by id`.execute(transaction)
  return [...rows, ...large]
}

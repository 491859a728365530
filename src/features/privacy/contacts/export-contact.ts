import { type RawBuilder, sql } from 'kysely'
import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { utc } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { type Contact, findContact, notesOf } from './contact.ts'
import { decisionsAbout } from './decisions.ts'
import { executivesNamed } from './executives.ts'
import { FILE_TEXTS } from './files.ts'
import { recordsAbout } from './linked-records.ts'
import { TASK_TEXTS } from './tasks.ts'

/** The notes that are read at once. One has up to 100 KB, and its history as much for each change. */
const NOTES_PER_QUERY = 20
const RECORDS_PER_QUERY = 500

const activityRows = sql`id, activity_type, entity_type, entity_id, company_id, user_email,
  ${utc('timestamp')}, metadata, changes, action_id, via`

/** The ledger of the records, oldest first, as a JSON array. */
const ledgerOf = (id: RawBuilder<unknown>) => sql`coalesce((
  select json_agg(record order by record.id) from (select ${activityRows} from activity where entity_id = ${id}) record), '[]')`

/**
 * Everything stored about a person, as the text of a JSON object of `PersonalData`, in parts. Records the export in the audit
 * log first.
 * @throws NotFound if there is no such person, also not in the trash, Moved if they are part of another one
 */
export async function exportContact(
  db: Db,
  id: string,
  source: AuditSource,
): Promise<AsyncGenerator<string>> {
  const contact = orNotFound(await findContact(db, id), 'person', id)
  await recordAudit(db, source, { event: 'person_exported', details: { id } })
  return parts(db, contact)
}

async function* parts(db: Db, contact: Contact): AsyncGenerator<string> {
  const { ids, details } = contact
  const people = sql`
    select to_jsonb(people) - 'name_sort' - 'name_key' - 'search_text' || '{"in_trash": false}' as row from people
      where id = any(${ids})
    union all select (content -> 'record')::jsonb || '{"in_trash": true}' from trash where id = any(${ids})`
  const companies = sql`
    select json_build_object('company_id', company_id,
      'company_name', coalesce((select name from companies where companies.id = company_id),
        (select name from trash where trash.id = company_id)),
      'role', role, 'from', from_on::text, 'until', until_on::text, 'is_primary', is_primary) as row
    from company_people where person_id = any(${ids}) order by company_id`
  const executives = sql`
    select json_build_object('company_id', company_id, 'company_name', company_name, 'in_trash', in_trash, 'is_linked',
      exists (select from company_people link where link.company_id = named.company_id and person_id = any(${ids})),
      'entry', entry) as row
    from (${executivesNamed(details.names)}) named order by company_id`
  yield `{"exported_at":"${new Date().toISOString()}"`
  yield* list('people', rowsOf(db, people))
  yield* list('companies', rowsOf(db, companies))
  yield* list('history', historyOf(db, ids))
  yield* list('notes', notes(db, ids))
  yield* list('decisions', decisions(db, contact))
  yield* list('tasks', tasks(db, contact))
  yield* list('files', files(db, contact))
  yield* list('executives', rowsOf(db, executives))
  yield '}'
}

async function* list(name: string, rows: AsyncIterable<string>): AsyncGenerator<string> {
  let separator = ''
  yield `,\n${JSON.stringify(name)}:[`
  for await (const row of rows) {
    yield `${separator}\n${row}`
    separator = ','
  }
  yield ']'
}

async function* rowsOf(db: Db, query: RawBuilder<unknown>): AsyncGenerator<string> {
  const { rows } = await sql<{ row: string }>`select row::text as row from (${query}) found`.execute(db)
  for (const { row } of rows) yield row
}

async function* historyOf(db: Db, ids: readonly string[]): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ id: string; row: string }>`
      select id, row_to_json(record)::text as row from (
        select ${activityRows} from activity where entity_id = any(${[...ids]}) and id > ${after}
        order by id limit ${RECORDS_PER_QUERY}) record order by id`.execute(db)
    for (const { row } of rows) yield row
    if (rows.length < RECORDS_PER_QUERY) return
    after = rows.at(-1)?.id ?? ''
  }
}

async function* notes(db: Db, ids: readonly string[]): AsyncGenerator<string> {
  const { rows: found } = await sql<{ id: string }>`
    select id from (${notesOf(ids)}) note order by id`.execute(db)
  const relations = sql`array(select distinct relation from links
    where record_id = note.id and target_id = any(${[...ids]}) order by relation)`
  for (let first = 0; first < found.length; first += NOTES_PER_QUERY) {
    const batch = found.slice(first, first + NOTES_PER_QUERY).map(({ id }) => id)
    yield* rowsOf(
      db,
      sql`
      select note.row || jsonb_build_object('in_trash', in_trash, 'relations', ${relations}, 'history',
        ${ledgerOf(sql`note.id`)}) as row from (
        select id, to_jsonb(notes) - 'search_words' as row, false as in_trash from notes where id = any(${batch})
        union all select id, (content -> 'record')::jsonb, true from trash where id = any(${batch})) note
      order by id`,
    )
  }
}

async function* decisions(db: Db, contact: Contact): AsyncGenerator<string> {
  const { rows: found } = await sql<{ id: string }>`
    select id from (${decisionsAbout(contact)}) decision order by id`.execute(db)
  for (let first = 0; first < found.length; first += NOTES_PER_QUERY) {
    const batch = found.slice(first, first + NOTES_PER_QUERY).map(({ id }) => id)
    yield* rowsOf(
      db,
      sql`
      select decision.row || jsonb_build_object('in_trash', in_trash, 'history', ${ledgerOf(sql`decision.id`)}) as row
      from (
        select id, to_jsonb(decisions) as row, false as in_trash from decisions where id = any(${batch})
        union all select id, (content -> 'record')::jsonb, true from trash where id = any(${batch})) decision
      order by id`,
    )
  }
}

async function* tasks(db: Db, contact: Contact): AsyncGenerator<string> {
  const { rows: found } = await sql<{ id: string }>`
    select id from (${recordsAbout(TASK_TEXTS, contact)}) task order by id`.execute(db)
  for (let first = 0; first < found.length; first += RECORDS_PER_QUERY) {
    const batch = found.slice(first, first + RECORDS_PER_QUERY).map(({ id }) => id)
    yield* rowsOf(
      db,
      sql`
      select task.row || jsonb_build_object('in_trash', in_trash, 'history', ${ledgerOf(sql`task.id`)}) as row from (
        select id, to_jsonb(tasks) as row, false as in_trash from tasks where id = any(${batch})
        union all select id, (content -> 'record')::jsonb, true from trash where id = any(${batch})) task
      order by id`,
    )
  }
}

async function* files(db: Db, contact: Contact): AsyncGenerator<string> {
  const { rows: found } = await sql<{ id: string }>`
    select id from (${recordsAbout(FILE_TEXTS, contact)}) file order by id`.execute(db)
  const versions = sql`(
    select json_agg(json_build_object('version', version, 'type', type, 'size', size, 'sha256', sha256,
      'uploaded_by', uploaded_by, 'uploaded_at', uploaded_at) order by version)
    from file_versions where file_versions.file_id = file.id)`
  for (let first = 0; first < found.length; first += RECORDS_PER_QUERY) {
    const batch = found.slice(first, first + RECORDS_PER_QUERY).map(({ id }) => id)
    yield* rowsOf(
      db,
      sql`
      select file.row || jsonb_build_object('in_trash', in_trash, 'versions', ${versions},
        'history', ${ledgerOf(sql`file.id`)}) as row from (
        select id, to_jsonb(files) as row, false as in_trash from files where id = any(${batch})
        union all select id, (content -> 'record')::jsonb, true from trash where id = any(${batch})) file
      order by id`,
    )
  }
}

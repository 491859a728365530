import { sql } from 'kysely'
import { type NewActivity, newAction, recordAction } from '#src/features/activity/index.ts'
import { type AuditSource, recordAudit } from '#src/features/audit/index.ts'
import { lockPeopleWithCompanies } from '#src/features/people/index.ts'
import { foldUserName } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { contentionRetries } from '#src/platform/database/errors.ts'
import { laterThan } from '#src/platform/database/sql.ts'
import { InvalidInput, orNotFound } from '#src/platform/errors.ts'
import { idsOf } from '#src/platform/ids.ts'
import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { type Contact, findContact, notesOf, patternOf } from './contact.ts'
import type { ContactPattern, IsText } from './contact-pattern.ts'
import type { ContactErasure, EraseContact } from './contact-schema.ts'
import { eraseFromDecisions } from './decisions.ts'
import { eraseExecutives } from './executives.ts'
import { eraseFromFiles } from './files.ts'
import { replaceTexts } from './replace-texts.ts'
import { eraseFromTasks } from './tasks.ts'

/** Adds to the number of changed rows of a table. */
type Count = (table: string, rows: number | bigint | undefined) => void

const NOTE_TEXTS: ReadonlySet<string> = new Set(['title', 'body', 'source'])
const isNoteText: IsText = (field, isInText) => isInText || NOTE_TEXTS.has(field)

/** The values in reports of imports that are words of the API. */
const REPORT_WORDS: ReadonlySet<string> = new Set([
  ...['id', 'action_id', 'record_id', 'company_id', 'key', 'type', 'entity', 'field', 'kind', 'outcome'],
  ...['encoding', 'delimiter', 'decimal', 'unit', 'currency', 'currencies', 'date_order', 'question'],
])
const isReportText: IsText = (field) => !REPORT_WORDS.has(field)

/**
 * Removes a person for good, also from the trash: with their links, the values in their history, and their details in the
 * text of notes that name them by a link, of decisions and tasks about their companies or with their addresses, and in the
 * names of files. Files that are about them alone go, too. All of it is one transaction, so that an erasure that fails can be repeated.
 * @param source who erases it, for the ledger and the audit log
 * @throws NotFound if the person neither exists nor was erased, Moved if they are part of another one, InvalidInput if `confirm` is not their name
 */
export const eraseContact = (
  db: Db,
  id: string,
  { confirm, executives = false, also = [] }: Partial<EraseContact>,
  source: AuditSource,
): Promise<ContactErasure> =>
  contentionRetries.execute(() =>
    db
      .transaction()
      .execute((transaction) => eraseOnce(transaction, id, { confirm, executives, also }, source)),
  )

async function eraseOnce(
  transaction: Db,
  id: string,
  { confirm, executives, also }: Partial<EraseContact>,
  source: AuditSource,
): Promise<ContactErasure> {
  const action = newAction('purge', source.user)
  await lockContact(transaction, id)
  const contact = await findContact(transaction, id)
  if (!contact) {
    orNotFound((await wasErased(transaction, id)) || undefined, 'person', id)
    return { action_id: null, changed: {}, notes: [], decisions: [], tasks: [], files: [] }
  }
  if (confirm !== undefined) requireName(contact, confirm)
  const counts: Record<string, number> = {}
  const count: Count = (table, rows) => {
    if (Number(rows ?? 0) > 0) counts[table] = (counts[table] ?? 0) + Number(rows)
  }
  const notes = await lockNotes(transaction, contact)
  const pattern = await patternOf(transaction, contact, also)
  const tasks = await eraseFromTasks(transaction, contact, pattern, count)
  const files = await eraseFromFiles(transaction, contact, pattern, count)
  const activities = await eraseFromNotes(transaction, notes, contact, pattern, count)
  const decisions = await eraseFromDecisions(transaction, contact, pattern, count)
  const imports = await eraseFromImports(transaction, [...contact.ids, ...notes], pattern, count)
  await eraseRecords(transaction, contact, count)
  const responses = [
    ...contact.ids,
    ...notes,
    ...decisions.searched,
    ...tasks.searched,
    ...files.searched,
    ...imports,
  ]
  await eraseFromResponses(transaction, responses, count)
  if (executives) {
    const changed = await eraseExecutives(transaction, action, contact.details.names)
    for (const [table, rows] of Object.entries(changed)) count(table, rows)
  }
  await recordAction(transaction, action, [
    ...activities,
    ...decisions.activities,
    ...tasks.activities,
    ...files.activities,
    ...contact.ids.map(
      (entity_id) => ({ activity_type: 'person_erased', entity_type: 'person', entity_id }) as const,
    ),
  ])
  await recordAudit(transaction, source, { event: 'person_erased', details: { id, changed: counts } })
  return {
    action_id: action.id,
    changed: counts,
    notes,
    decisions: decisions.searched,
    tasks: tasks.searched,
    files: files.searched,
  }
}

/** Other changes of the person, and new notes about them, wait for the end of the transaction. */
async function lockContact(transaction: Db, id: string): Promise<void> {
  await lockPeopleWithCompanies(transaction, [id])
  await sql`
    select from trash where id = ${id} or (entity_type = 'person' and company_id = ${id}) order by id for update`.execute(
    transaction,
  )
}

/** The notes that name the person, and their replies, which others cannot change until the transaction ends. */
async function lockNotes(transaction: Db, { ids }: Contact): Promise<string[]> {
  const lock = async () => {
    const { rows } = await sql<{ id: string }>`
      select id from (${notesOf(ids)}) note order by id`.execute(transaction)
    const notes = rows.map(({ id }) => id)
    for (const table of ['notes', 'trash'])
      await sql`select from ${sql.table(table)} where id = any(${notes}) order by id for update`.execute(
        transaction,
      )
    return notes
  }
  await lock()
  // Others may have restored some in between, or replied to them.
  return lock()
}

async function wasErased(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from activity where entity_id = ${id} and activity_type = 'person_erased' limit 1`.execute(db)
  return rows.length > 0
}

/** @throws InvalidInput */
function requireName({ name }: Contact, confirm: string): void {
  if (foldUserName(normalizeSpaces(confirm)) === foldUserName(normalizeSpaces(name))) return
  throw new InvalidInput(`confirm must be the name of the person, ${name}: an erasure cannot be undone.`)
}

/**
 * Replaces the person's details in notes, in those in the trash, and in their history.
 * @returns the activity of the changed notes
 */
async function eraseFromNotes(
  transaction: Db,
  notes: readonly string[],
  { ids }: Contact,
  pattern: ContactPattern,
  count: Count,
): Promise<NewActivity[]> {
  const { rows: links } = await sql<{ note: string; relation: string }>`
    delete from links where target_id = any(${ids}) returning record_id as note, relation`.execute(
    transaction,
  )
  count('links', links.length)
  const { rows: records } = await sql<{ id: string }>`
    select id from activity where entity_id = any(${[...notes]}) and changes is not null`.execute(transaction)
  const erase = async (table: string, columns: Record<string, 'text' | IsText>, keys: readonly string[]) => {
    const changed = await replaceTexts(transaction, { table, columns }, keys, pattern)
    count(table, changed.size)
    return changed
  }
  await erase('trash', { name: 'text', content: isNoteText }, notes)
  await erase('activity', { changes: isNoteText }, idsOf(records))
  const changed = await erase('notes', { title: 'text', body: 'text', source: 'text' }, notes)
  for (const { note, relation } of links) changed.set(note, [...(changed.get(note) ?? []), relation])
  const { rows } = await sql<{ id: string; updated_at: Date }>`
    update notes set updated_at = ${laterThan('updated_at')}
    where id = any(${[...changed.keys()]}) returning id, updated_at`.execute(transaction)
  return rows.map(({ id, updated_at }) => ({
    activity_type: 'note_updated',
    entity_type: 'note',
    entity_id: id,
    metadata: { fields: changed.get(id) },
    timestamp: updated_at.toISOString(),
  }))
}

/**
 * Replaces the person's details in reports of imports that wrote one of the records, or that list it.
 * @returns the ids of these imports and of their actions
 */
async function eraseFromImports(
  transaction: Db,
  records: readonly string[],
  pattern: ContactPattern,
  count: Count,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; action_id: string | null }>`
    select id, action_id from imports where report is not null and (
      action_id in (select action_id from activity where entity_id = any(${[...records]}))
      or exists (select from regexp_matches(report::text, '(?:per|note)_[0-9a-z]{26}', 'g') listed
        where listed[1] = any(${[...records]}))) order by id`.execute(transaction)
  const columns = { file_name: 'text', report: isReportText } as const
  const changed = await replaceTexts(transaction, { table: 'imports', columns }, idsOf(rows), pattern)
  count('imports', changed.size)
  return rows.flatMap(({ id, action_id }) => (action_id === null ? [id] : [id, action_id]))
}

/** Removes the person from the tables that are about people. The history still shows who changed them and when. */
async function eraseRecords(transaction: Db, { ids }: Contact, count: Count): Promise<void> {
  const history = await sql`
    update activity set changes = null, metadata = '{}'
    where entity_id = any(${ids}) and (changes is not null or metadata::text <> '{}')`.execute(transaction)
  count('activity', history.numAffectedRows)
  for (const [table, column] of [
    ['company_people', 'person_id'],
    ['people', 'id'],
    ['trash', 'id'],
  ] as const) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${sql.ref(column)} = any(${ids})`.execute(transaction)
    count(table, numAffectedRows)
  }
}

/** Empties the responses that are stored for repeated requests. */
async function eraseFromResponses(transaction: Db, ids: readonly string[], count: Count): Promise<void> {
  const { numAffectedRows } = await sql`
    update idempotency_keys set body = '{}'
    where body like any(array(select '%' || id || '%' from unnest(${[...ids]}::text[]) id))`.execute(
    transaction,
  )
  count('idempotency_keys', numAffectedRows)
}

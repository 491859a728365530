import { type Selectable, sql } from 'kysely'
import { type Changes, changesOf } from '#src/features/activity/index.ts'
import { unknownRecords } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { onViolation } from '#src/platform/database/errors.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { type JsonPage, readPage, readRecord, timeAfter, utc } from '#src/platform/database/sql.ts'
import { Conflict, InvalidReference } from '#src/platform/errors.ts'
import { type FilterCaller, filterConditions, sortOrder } from '#src/platform/filter/query.ts'
import { idTime } from '#src/platform/ids.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { thesisFields } from './fields.ts'
import type { NewThesis, ThesisPatch, ThesisQuery } from './schema.ts'
import type { ThesesTable } from './table.ts'

/** A thesis's fields as lists show them. */
export const thesisSummaryFields = sql`id, code, title, summary, status, ${utc('created_at')}, ${utc('updated_at')}`
export type StoredThesis = Selectable<ThesesTable>

const fields = sql`id, code, title, summary, report_markdown, status, criteria, ${utc('created_at')}, ${utc('updated_at')}`

/** @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function listTheses(
  db: Db,
  caller: FilterCaller,
  { status, code, filter, sort, ...page }: ThesisQuery,
): Promise<JsonPage> {
  const where = await filterConditions(filter, thesisFields, caller)
  if (status) where.push(sql`status = any(${[status].flat()})`)
  if (code) where.push(sql`code = ${code}`)
  const order = sortOrder(sort, thesisFields)
  return readPage(db, { table: 'theses', fields: thesisSummaryFields, where, order }, pageOf(page))
}

export const readThesis = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table: 'theses', fields, id })

/** The parts of a thesis that its matches depend on. */
export const readMatchedThesis = (db: Db, id: string) =>
  db
    .selectFrom('theses')
    .select(['id', 'title', 'summary', 'report_markdown', 'criteria'])
    .where('id', '=', id)
    .executeTakeFirst()

/** @throws Conflict if the code is taken */
export async function insertThesis(db: Db, id: string, thesis: NewThesis): Promise<void> {
  const { code, title, summary = null, report_markdown = null, status = 'active', criteria } = thesis
  const time = idTime(id)
  const values = { id, code, title, summary, report_markdown, status, created_at: time, updated_at: time }
  await db
    .insertInto('theses')
    .values({ ...values, criteria: asJson(criteria) })
    .execute()
    .catch(rejectTakenCode(code))
}

export interface ThesisText {
  id: string
  code: string
  /** Time of the last change. */
  version: string
  /** A hash of the fields below. */
  text_hash: string
  title: string
  summary: string | null
  report_markdown: string | null
}

/** Prompts contain at most this much of a report. */
const MAX_REPORT_CHARACTERS = 20_000

/** The texts of theses, for prompts. Long reports are truncated. */
export async function readThesisTexts(db: Db, ids: string[]): Promise<ThesisText[]> {
  const { rows } = await sql<Omit<ThesisText, 'version' | 'text_hash'> & { updated_at: string }>`
    select id, code, title, summary, left(report_markdown, ${MAX_REPORT_CHARACTERS}) as report_markdown,
      ${utc('updated_at')}
    from theses where id = any(${ids}) order by id`.execute(db)
  return rows.map(({ updated_at: version, ...thesis }) => {
    const { title, summary, report_markdown } = thesis
    return { ...thesis, version, text_hash: textHash(JSON.stringify([title, summary, report_markdown])) }
  })
}

const asJson = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null)

/** The thesis, locked until the transaction ends; undefined if there is none. */
export const lockThesis = (transaction: Db, id: string): Promise<StoredThesis | undefined> =>
  transaction.selectFrom('theses').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Changes a thesis.
 * @param before the stored thesis, locked by this transaction
 * @returns the previous and new values of the fields that changed, and the time of the change
 * @throws Conflict if the code is taken
 */
export async function writeThesis(
  transaction: Db,
  before: StoredThesis,
  patch: ThesisPatch,
): Promise<{ changes: Changes; timestamp: string }> {
  const changes = changesOf(before, patch)
  const timestamp = timeAfter(before.updated_at)
  if (Object.keys(changes).length > 0) {
    const { criteria, ...fields } = patch
    await transaction
      .updateTable('theses')
      .set({
        ...fields,
        ...(criteria !== undefined && { criteria: asJson(criteria) }),
        updated_at: new Date(timestamp),
      })
      .where('id', '=', before.id)
      .execute()
      .catch(rejectTakenCode(patch.code))
  }
  return { changes, timestamp }
}

/** The ids of all theses by code. */
export async function thesisIdsByCode(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom('theses').select(['code', 'id']).execute()
  return new Map(rows.map(({ code, id }) => [code, id]))
}

const rejectTakenCode = (code: string | undefined) =>
  onViolation(
    'theses_code_unique',
    () => new Conflict(`code must be unique: another thesis has the code ${code}.`),
  )

const EXPECTED = 'thesis_id must be the id of a thesis'
const CREATION = 'POST /api/theses'

/**
 * Checks a `thesis_id` in a body.
 * @throws InvalidInput if it is not that of a thesis; the message says whether the thesis is in the trash
 */
export async function requireThesis(db: Db, id: string | null | undefined): Promise<void> {
  if (!id) return
  const { rows } = await sql`select from theses where id = ${id}`.execute(db)
  if (rows.length === 0) throw await unknownRecords(db, EXPECTED, [id], CREATION)
}

/** The error for a thesis that is gone since it was checked. */
export const unknownThesis = (id: string | null | undefined): InvalidReference =>
  new InvalidReference(EXPECTED, [id], CREATION)

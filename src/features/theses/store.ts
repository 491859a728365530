import { sql } from 'kysely'
import { type Changes, changesOf } from '#src/features/activity/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { onViolation } from '#src/platform/database/faults.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { type JsonPage, readPage, readRecord, timeAfter, utc } from '#src/platform/database/sql.ts'
import { Conflict, InvalidReference } from '#src/platform/errors.ts'
import { idTime } from '#src/platform/ids.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { NewThesis, ThesisPatch, ThesisQuery } from './schema.ts'
import type { ThesesTable } from './table.ts'

const summaryFields = sql`id, code, title, summary, status, ${utc('created_at')}, ${utc('updated_at')}`
const fields = sql`id, code, title, summary, report_markdown, status, ${utc('created_at')}, ${utc('updated_at')}`

export function listTheses(db: Db, { status, code, ...page }: ThesisQuery): Promise<JsonPage> {
  const where = []
  if (status) where.push(sql`status = ${status}`)
  if (code) where.push(sql`code = ${code}`)
  return readPage(db, { table: 'theses', fields: summaryFields, where }, pageOf(page))
}

export const readThesis = (db: Db, id: string): Promise<Json | undefined> =>
  readRecord(db, { table: 'theses', fields, id })

/** @throws Conflict if the code is taken */
export async function insertThesis(db: Db, id: string, thesis: NewThesis): Promise<void> {
  const { code, title, summary = null, report_markdown = null, status = 'active' } = thesis
  const time = idTime(id)
  const values = { id, code, title, summary, report_markdown, status, created_at: time, updated_at: time }
  await db.insertInto('theses').values(values).execute().catch(rejectTakenCode(code))
}

export interface ThesisText {
  id: string
  code: string
  /** Time of the last change. */
  version: string
  title: string
  summary: string | null
  report_markdown: string | null
}

/**
 * The texts of theses, for prompts.
 * @param reportLength number of characters after which reports are truncated
 */
export async function readThesisTexts(db: Db, ids: string[], reportLength: number): Promise<ThesisText[]> {
  const { rows } = await sql<Omit<ThesisText, 'version'> & { updated_at: string }>`
    select id, code, title, summary, left(report_markdown, ${reportLength}) as report_markdown, ${utc('updated_at')}
    from theses where id = any(${ids}) order by id`.execute(db)
  return rows.map(({ updated_at: version, ...thesis }) => ({ ...thesis, version }))
}

/** The thesis, locked until the transaction ends; undefined if there is none. */
export const lockThesis = (transaction: Db, id: string): Promise<ThesesTable | undefined> =>
  transaction.selectFrom('theses').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Changes a thesis.
 * @param before the stored thesis, locked by this transaction
 * @returns the former and new values of the fields that changed, and the time of the change
 * @throws Conflict if the code is taken
 */
export async function updateThesis(
  transaction: Db,
  before: ThesesTable,
  patch: ThesisPatch,
): Promise<{ changes: Changes; timestamp: string }> {
  const changes = changesOf(before, patch, Object.keys(patch))
  const timestamp = timeAfter(before.updated_at)
  if (Object.keys(changes).length > 0) {
    await transaction
      .updateTable('theses')
      .set({ ...patch, updated_at: new Date(timestamp) })
      .where('id', '=', before.id)
      .execute()
      .catch(rejectTakenCode(patch.code))
  }
  return { changes, timestamp }
}

/** The fields of a thesis that change. */
export const THESIS_FIELDS = ['code', 'title', 'summary', 'report_markdown', 'status'] as const

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

/** The error for a `thesis_id` in a body that does not exist. */
export const unknownThesis = (id: string | null | undefined): InvalidReference =>
  new InvalidReference('thesis_id must be the id of a thesis', [id], 'POST /api/theses')

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'

/** Who asks; null: unknown. */
export type Viewer = { readonly email: string } | null

/** The condition that a row of `private_records` is one of a record that the caller may not see. */
export const isHidden = (viewer: Viewer): RawBuilder<boolean> =>
  sql<boolean>`not coalesce(${viewer?.email ?? null}::text = any(private_records.readers), false)`

/**
 * The condition that a caller may see a record. This is the one place that decides it, for lists, history, the trash,
 * events, exports and searches alike.
 * @param id the column with the id of the record
 */
export const canSee = (viewer: Viewer, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(not exists (select from private_records where private_records.id = ${id} and ${isHidden(viewer)}))`

/** The same condition for lists, which reads the private records once instead of looking up each record. */
export const canSeeInList = (viewer: Viewer, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${id} not in (select private_records.id from private_records where ${isHidden(viewer)}))`

/** Those of the records that a caller may not see. */
export async function findHidden(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from private_records where id = any(${[...ids]}) and ${isHidden(viewer)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Who may see a record: email addresses, in lower case; null: everyone. */
export type Readers = readonly string[] | null

/** Stores who may see records, in the transaction that writes them. */
export async function setReaders(
  transaction: Db,
  records: readonly { id: string; readers: Readers }[],
): Promise<void> {
  const open = records.filter(({ readers }) => readers === null).map(({ id }) => id)
  if (open.length > 0) await sql`delete from private_records where id = any(${open})`.execute(transaction)
  const restricted = records.filter(({ readers }) => readers !== null)
  if (restricted.length > 0)
    await sql`
      insert into private_records (id, readers)
      select id, array(select json_array_elements_text(readers))
      from json_to_recordset(${JSON.stringify(restricted)}::json) as record(id text, readers json)
      on conflict (id) do update set readers = excluded.readers`.execute(transaction)
}

import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { all, asList, type JsonPage, utc } from '#src/platform/database/sql.ts'
import { NotFound } from '#src/platform/errors.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { TrashQuery } from './schema.ts'

/** A page of deleted records, last deleted first. */
export async function listTrash(
  db: Db,
  { entity_type, ...page }: TrashQuery,
  trashDays: number,
): Promise<JsonPage> {
  const { limit, offset } = pageOf(page)
  const where = [sql`parent_id is null`, sql`not purging`]
  if (entity_type) where.push(sql`entity_type = ${entity_type}`)
  const from = sql`from trash where ${all(where)}`
  const purgeAt =
    trashDays === 0
      ? sql`null`
      : sql`to_char((deleted_at + make_interval(days => ${trashDays})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const records = sql`
    select id, entity_type, name,
      (select count(*)::int from trash deals where deals.company_id = trash.id and deals.parent_id = trash.id) as deals,
      user_email, action_id, ${utc('deleted_at')}, ${purgeAt} as purge_at
    ${from} order by trash.deleted_at desc, id desc limit ${limit} offset ${offset}`
  const { rows } = await sql<JsonPage>`
    select (${asList(records)}) as records, (select count(*)::float8 ${from}) as total`.execute(db)
  return rows[0] as JsonPage
}

/** Which of the ids are in the trash. */
export async function findTrashed(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from trash where id = any(${[...ids]}) and not purging`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Returns the record, which was looked up by an id from the path.
 * @throws NotFound if it is undefined; the message says whether it is in the trash
 */
export async function foundOutsideTrash<T>(
  db: Db,
  record: T | undefined,
  kind: string,
  id: string,
): Promise<T> {
  if (record !== undefined) return record
  if ((await findTrashed(db, [id])).has(id))
    throw new NotFound(`The ${kind} ${id} is in the trash. POST /api/trash/${id}/restore brings it back.`)
  throw new NotFound(`No ${kind} has the id ${id.slice(0, 100)}.`)
}

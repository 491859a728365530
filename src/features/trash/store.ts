import { type RawBuilder, sql } from 'kysely'
import { type Action, aboutOfEntity } from '#src/features/activity/index.ts'
import { canSee, findHidden, type Viewer } from '#src/features/visibility/index.ts'
import { writtenColumns } from '#src/platform/database/columns.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, readPage, utc } from '#src/platform/database/sql.ts'
import { Conflict, InvalidInput, InvalidReference, Moved, NotFound } from '#src/platform/errors.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { truncate } from '#src/platform/truncate.ts'
import type { TrashedType, TrashQuery } from './schema.ts'

/** A page of the deleted records that a caller may see, last deleted first. */
export function listTrash(
  db: Db,
  viewer: Viewer,
  { entity_type, ...page }: TrashQuery,
  trashDays: number,
): Promise<JsonPage> {
  const where: RawBuilder<unknown>[] = [
    sql`parent_id is null`,
    sql`not purging`,
    canSee(viewer, sql`trash.id`),
  ]
  if (entity_type) where.push(sql`entity_type = ${entity_type}`)
  const purgeAt =
    trashDays === 0
      ? sql`null`
      : sql`to_char((deleted_at + make_interval(days => ${trashDays})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const fields = sql`id, entity_type, name, ${aboutOfEntity(sql`trash.id`)},
      (select count(*)::int from trash deals where deals.company_id = trash.id and deals.parent_id = trash.id
        and deals.entity_type = 'dealflow') as deals,
      user_email, action_id, ${utc('deleted_at')}, ${purgeAt} as purge_at`
  const order = sql`order by trash.deleted_at desc, id desc`
  return readPage(db, { table: 'trash', fields, where, order }, pageOf(page))
}

/** An entry of the trash: a deleted record, or a company or person that was merged into another. */
export interface TrashedRecord {
  id: string
  entity_type: TrashedType
  /** The action that deleted or merged it. */
  action_id: string
  /** The company or person that it is part of; null: it was deleted. */
  survivor: string | null
}

/** What errors call the records. */
export const RECORD_NAMES: Readonly<Record<TrashedType, string>> = {
  company: 'company',
  dealflow: 'deal',
  thesis: 'thesis',
  person: 'person',
  note: 'note',
  decision: 'decision',
  task: 'task',
  file: 'file',
}

/** The condition that an entry of the trash is a merged company or person. `company_id` is that of the survivor. */
export const isMerged = sql`(trash.entity_type in ('company', 'person') and trash.parent_id is not null)`

/** The query for the ids of the companies that are part of this one, first merged first. */
export const mergedInto = (company: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select id from trash where trash.company_id = ${company} and ${isMerged} order by deleted_at, id`

/** The ids of the companies that are part of this one, first merged first. */
export async function readMerged(db: Db, company: string): Promise<string[]> {
  const { rows } = await mergedInto(sql`${company}`).execute(db)
  return (rows as { id: string }[]).map(({ id }) => id)
}

/** Those of the records that are deleted or merged, by id. */
export async function findTrashed(db: Db, ids: readonly string[]): Promise<Map<string, TrashedRecord>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<TrashedRecord>`
    select id, entity_type, action_id, case when ${isMerged} then company_id end as survivor
    from trash where id = any(${[...ids]}) and not purging`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The entry of the trash with this id, if there is one that the caller may see. */
async function findVisible(db: Db, viewer: Viewer, id: string): Promise<TrashedRecord | undefined> {
  const entry = (await findTrashed(db, [id])).get(id)
  return entry && !(await findHidden(db, viewer, [id])).has(id) ? entry : undefined
}

/** An error lists at most this many ids. */
const MAX_LISTED_IDS = 3

/** The error for ids in the input that are those of no company. */
export const unknownCompanies = (db: Db, expected: string, ids: readonly string[]): Promise<InvalidInput> =>
  unknownRecords(db, expected, ids, 'POST /api/companies')

/**
 * The error for ids in the input that do not exist. It says which are in the trash or merged.
 * @param expected a sentence about the field, such as `ids must be ids of deals`
 * @param creation the request that creates such a record
 * @param viewer the error says nothing about private records that they may not see
 */
export async function unknownRecords(
  db: Db,
  expected: string,
  ids: readonly string[],
  creation: string,
  viewer: Viewer = null,
): Promise<InvalidInput> {
  const listed = ids.slice(0, MAX_LISTED_IDS)
  const hidden = await findHidden(db, viewer, listed)
  const [entry] = (
    await findTrashed(
      db,
      listed.filter((id) => !hidden.has(id)),
    )
  ).values()
  if (!entry) return new InvalidReference(expected, listed, creation)
  return new InvalidInput(
    entry.survivor
      ? `${expected}; ${entry.id} was merged into ${entry.survivor}.`
      : `${expected}; ${entry.id} is in the trash. POST /api/trash/${entry.id}/restore brings it back.`,
  )
}

/** The error for an id in the path that is not in the trash. */
export async function notInTrash(db: Db, id: string): Promise<NotFound | Conflict> {
  const entry = (await findTrashed(db, [id])).get(id)
  return entry?.survivor
    ? new Conflict(
        `The ${RECORD_NAMES[entry.entity_type]} ${id} was merged into ${entry.survivor}. POST /api/actions/${entry.action_id}/undo splits them again.`,
      )
    : new NotFound(`Nothing with the id ${truncate(id, 100)} is in the trash.`)
}

/**
 * Returns the record, which was looked up by an id from the path.
 * @param viewer the error says nothing about private records that they may not see
 * @throws NotFound if it is undefined; the message says whether it is in the trash. Moved if it is part of another one
 */
export async function orTrashed<T>(
  db: Db,
  record: T | undefined,
  kind: string,
  id: string,
  viewer: Viewer = null,
): Promise<T> {
  if (record !== undefined) return record
  const entry = await findVisible(db, viewer, id)
  if (!entry) throw new NotFound(`No ${kind} has the id ${truncate(id, 100)}.`)
  const { survivor } = entry
  if (!survivor)
    throw new NotFound(`The ${kind} ${id} is in the trash. POST /api/trash/${id}/restore brings it back.`)
  if ((await findTrashed(db, [survivor])).has(survivor))
    throw new NotFound(
      `The ${kind} ${id} was merged into ${survivor}, which is in the trash. POST /api/trash/${survivor}/restore brings it back.`,
    )
  throw new Moved(`The ${kind} ${id} was merged into ${survivor}. Use that id instead.`, survivor)
}

/** An entry of the trash as a slice describes it. */
export interface Trashed {
  entity_type: TrashedType
  name: RawBuilder<unknown>
  company_id: RawBuilder<unknown>
  parent_id?: RawBuilder<unknown>
  /** What belongs to the record, as SQL of JSON fields: `'key', value, …`. */
  attached?: RawBuilder<unknown>
}

/** Copies rows to the trash; `record` is the row. */
export async function copyToTrash(
  transaction: Db,
  action: Action,
  table: string,
  where: RawBuilder<unknown>,
  { entity_type, name, company_id, parent_id, attached }: Trashed,
): Promise<void> {
  const columns = sql.join((await writtenColumns(transaction, table)).map((column) => sql.id(column)))
  await sql`
    insert into trash (id, entity_type, name, company_id, parent_id, user_email, action_id, deleted_at, content)
    select id, ${entity_type}, ${name}, ${company_id}, ${parent_id ?? sql`null`},
      ${action.user?.email ?? null}, ${action.id}, clock_timestamp(),
      json_build_object('record', row_to_json(record) ${attached ? sql`, ${attached}` : sql``})
    from (select ${columns} from ${sql.table(table)} where ${where}) record`.execute(transaction)
}

/** Copies rows back from the trash. Those from before custom fields have no values. */
export async function copyFromTrash(
  transaction: Db,
  table: string,
  where: RawBuilder<unknown>,
  replaced: Record<string, RawBuilder<unknown>> = {},
): Promise<void> {
  const columns = await writtenColumns(transaction, table)
  const values = columns.map(
    (column) =>
      replaced[column] ??
      (column === 'custom' ? sql`coalesce(record.custom, '{}')` : sql`record.${sql.id(column)}`),
  )
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.id(column)))})
    select ${sql.join(values)}
    from trash, json_populate_record(null::${sql.table(table)}, content -> 'record') record where ${where}
    order by trash.id`.execute(transaction)
}

/** The query for deleted and merged records as rows of their table. Their entries are locked until the transaction ends. */
export const lockedRows = (
  entity_type: TrashedType,
  table: string,
  ids: readonly string[],
): RawBuilder<unknown> => sql`
  select record.* from trash, json_populate_record(null::${sql.table(table)}, content -> 'record') record
  where trash.id = any(${[...ids]}) and trash.entity_type = ${entity_type} and not purging
  order by trash.id for update of trash`

/** Locks entries of the trash. One that is being purged does not come back; a merged record is split off instead. */
export async function lockEntries(
  transaction: Db,
  entity_type: TrashedType,
  ids: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from trash where id = any(${ids}) and entity_type = ${entity_type} and parent_id is null and not purging
    order by id for update`.execute(transaction)
  return rows.map(({ id }) => id)
}

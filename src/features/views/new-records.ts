import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { snapshot } from '#src/platform/database/snapshot.ts'
import { all, type JsonPage, jsonArray, utc } from '#src/platform/database/sql.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { conditionsOf, VIEW_RECORDS, type ViewCaller } from './records.ts'
import { MAX_NEW_IDS, type View } from './schema.ts'
import { momentText } from './snapshot.ts'

interface Look {
  seen_at: string
  /** Whether there were too many records to remember each. */
  isLarge: boolean
}

export interface NewRecords extends JsonPage {
  /** Of the newest ones, up to `MAX_NEW_IDS`. */
  ids: string[]
  seen_at: string | null
  only_created: boolean
  until: string
}

/**
 * A page of the records that a view shows now and did not show when the user last looked, newest first.
 * @throws InvalidInput for a filter that has become wrong
 */
export async function listNewRecords(
  db: Db,
  view: View,
  viewer: ViewCaller,
  { limit, offset }: PageRequest,
): Promise<NewRecords> {
  const { email } = viewer
  const time = new Date()
  const ofLook = sql`view_id = ${view.id} and user_email = ${email}`
  const { rows: looks } = await sql<Look & { snapshot: string }>`
    select ${snapshot} as snapshot, look.* from (values (true)) always left join lateral (
      select ${utc('seen_at')}, ids is null as "isLarge" from view_looks where ${ofLook}) look on true`.execute(
    db,
  )
  const [look] = looks
  const until = momentText({ time, snapshot: look?.snapshot ?? '' })
  if (!look?.seen_at) return { records: '[]', total: 0, ids: [], seen_at: null, only_created: false, until }
  const { table, shown } = VIEW_RECORDS[view.entity]
  const seen = sql`select unnest(ids) as seen_id from view_looks where ${ofLook}`
  const isNew: RawBuilder<unknown> = look.isLarge
    ? sql`${sql.ref(`${table}.created_at`)} > ${look.seen_at}::timestamptz`
    : sql`not exists (select from (${seen}) seen where seen_id = ${sql.ref(`${table}.id`)})`
  const id = sql.ref(`${table}.id`)
  const where = all([...(await conditionsOf(db, view, viewer)), isNew])
  const page = sql`select ${shown} from ${sql.table(table)} where ${id} in (
    select id from fresh order by id desc limit ${limit} offset ${offset}) order by ${id} desc`
  const { rows } = await sql<JsonPage & Pick<NewRecords, 'ids'>>`
    with fresh as materialized (select ${id} from ${sql.table(table)} where ${where})
    select (${jsonArray(page)}) as records, (select count(*)::float8 from fresh) as total,
      array(select id from fresh order by id desc limit ${MAX_NEW_IDS}) as ids`.execute(db)
  return {
    ...(rows[0] as JsonPage & Pick<NewRecords, 'ids'>),
    seen_at: look.seen_at,
    only_created: look.isLarge,
    until,
  }
}

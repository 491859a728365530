import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { originOf } from './store.ts'

const BATCH_SIZE = 2000
/** The pause after a batch, as a multiple of its time, which leaves room for other work on the database. */
const PAUSE_FACTOR = 3
/** Everything is looked through at the start and once a day, which also finds the logos that no company has any more. */
const FULL_PASS_INTERVAL_MS = 24 * 3600 * 1000

/**
 * Returns a function that adds the websites of new and changed companies to those whose logo is fetched, and removes the
 * logos of websites that no company has. A company in the trash gets its logo again when it is restored.
 * @param sharedHosts hosts where many companies have a page: their icon is that of the host, not of a company
 */
export function websiteFinder(
  db: Db,
  sharedHosts: ReadonlySet<string>,
  batchSize = BATCH_SIZE,
): (stopped: AbortSignal) => Promise<void> {
  const parts = { db, sharedHosts, batchSize }
  let passedAt = Number.NEGATIVE_INFINITY
  return async (stopped) => {
    const pass = { ...parts, stopped }
    await addChangedWebsites(pass)
    const isDue = Date.now() - passedAt >= FULL_PASS_INTERVAL_MS
    if (isDue && (await lookThroughAll(pass))) passedAt = Date.now()
  }
}

/** Empties the queue of websites that companies have been given. */
async function addChangedWebsites({ db, sharedHosts, batchSize, stopped }: Pass): Promise<void> {
  if (await isQueueEmpty(db)) return
  const batch = sql`delete from website_changes where ctid = any(array(
    select ctid from website_changes limit ${batchSize} for update skip locked)) returning origin`
  do await paced(stopped, () => addWebsites(db, sharedHosts, batch))
  while (!stopped.aborted && !(await isQueueEmpty(db)))
  await sql`vacuum website_changes`.execute(db)
}

async function isQueueEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql`select from website_changes limit 1`.execute(db)
  return rows.length === 0
}

/** Does the work, and pauses in proportion to the time it took. */
async function paced(stopped: AbortSignal, work: () => Promise<void>): Promise<void> {
  const began = performance.now()
  await work()
  const pause = (performance.now() - began) * PAUSE_FACTOR
  await sleep(pause, undefined, { signal: stopped }).catch(() => {})
}

interface Pass {
  db: Db
  sharedHosts: ReadonlySet<string>
  batchSize: number
  stopped: AbortSignal
}

/** Marks the websites of all companies, and removes those that remain unmarked. Returns whether it got to the end. */
async function lookThroughAll(pass: Pass): Promise<boolean> {
  const { db, sharedHosts } = pass
  const { rows } = await sql<{ start: string }>`select clock_timestamp()::text as start`.execute(db)
  const start = rows[0]?.start
  return (
    (await inBatches(pass, ['companies', 'id'], (batch) =>
      addWebsites(
        db,
        sharedHosts,
        sql`select ${originOf(sql`companies.website`)} as origin from companies where ${batch}`,
      ),
    )) &&
    (await inBatches(pass, ['logos', 'origin'], async (batch) => {
      // A website that is being fetched waits for the next time.
      await sql`
        delete from logos where origin = any(array(
          select origin from logos where ${batch} and seen_at < ${start}::timestamptz
          for update skip locked))`.execute(db)
    }))
  )
}

/** Works through a table in the order of its key. Returns whether it got to the end. */
async function inBatches(
  { db, batchSize, stopped }: Pass,
  [table, key]: ['companies', 'id'] | ['logos', 'origin'],
  work: (batch: RawBuilder<unknown>) => Promise<void>,
): Promise<boolean> {
  const column = sql.ref(`${table}.${key}`)
  for (let last = ''; !stopped.aborted; ) {
    const { rows } = await sql<{ end: string }>`
      select ${column} as end from ${sql.table(table)} where ${column} > ${last}
      order by ${column} limit 1 offset ${batchSize - 1}`.execute(db)
    const end = rows[0]?.end
    const batch =
      end === undefined ? sql`${column} > ${last}` : sql`${column} > ${last} and ${column} <= ${end}`
    await paced(stopped, () => work(batch))
    if (end === undefined) return true
    last = end
  }
  return false
}

/** Before all others, so that new companies do not wait for a large import: the later it is added, the earlier its time. */
const newestFirst = sql`timestamptz 'epoch' - (clock_timestamp() - timestamptz 'epoch')`

/**
 * Marks websites as seen, and adds the new ones, in the order of the key, so that processes do not block each other.
 * @param websites a statement with the column `origin`
 */
async function addWebsites(
  db: Db,
  sharedHosts: ReadonlySet<string>,
  websites: RawBuilder<unknown>,
): Promise<void> {
  const host = sql`regexp_replace(split_part(origin, '//', 2), '(:[0-9]*|[.])+$', '')`
  await sql`
    with websites as (${websites}),
      origins as materialized (select distinct origin from websites where origin is not null)
    insert into logos (origin, due_at) select origin, ${newestFirst} from origins
    where not exists (select from unnest(${[...sharedHosts]}::text[]) shared
        where right('.' || ${host}, length(shared) + 1) = '.' || shared)
    order by origin on conflict (origin) do update set seen_at = excluded.seen_at`.execute(db)
}

/** Removes all logos, and the websites whose logo was to be found. */
export async function removeAll(db: Db): Promise<void> {
  await sql`delete from logos`.execute(db)
  if (await isQueueEmpty(db)) return
  await sql`delete from website_changes`.execute(db)
  await sql`vacuum website_changes`.execute(db)
}

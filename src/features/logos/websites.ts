import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { snapshot } from '#src/platform/database/transaction-log.ts'
import { originOf } from './store.ts'

const BATCH_SIZE = 2000
/** The pause after a batch, as a multiple of its time, which leaves room for other work on the database. */
const PAUSE_FACTOR = 3
/** Everything is looked through once a day, which also finds the logos that no company has any more. */
const FULL_PASS_INTERVAL_MS = 24 * 3600 * 1000
/** Many changes at once exceed the log of changes, so that everything has to be looked through again for them. */
const MIN_FULL_PASS_INTERVAL_MS = 10 * 60 * 1000

/** What the slice of companies knows. */
export interface CompanySource {
  /** Hosts where many companies have a page. Their icon is that of the host, not of a company. */
  sharedHosts: ReadonlySet<string>
  /** Whether the log of changes is complete since a snapshot. */
  isLogged(previous: string): RawBuilder<unknown>
  /** The ids of the companies that have changed since a snapshot. */
  changedSince(previous: string): RawBuilder<unknown>
}

/**
 * Returns a function that adds the websites of new and changed companies to those whose logo is fetched, and removes the
 * logos of websites that no company has. A company in the trash gets its logo again when it is restored.
 */
export function websiteFinder(
  db: Db,
  source: CompanySource,
  batchSize = BATCH_SIZE,
): (stopped: AbortSignal) => Promise<void> {
  let previous: string | undefined
  let isPassDue = true
  let passedAt = Number.NEGATIVE_INFINITY
  return async (stopped) => {
    const { present, isLogged } = await readPosition(db, source, previous)
    if (previous && isLogged)
      await addWebsites(db, source, sql`companies.id in (${source.changedSince(previous)})`)
    else isPassDue = true
    const age = Date.now() - passedAt
    if (age >= (isPassDue ? MIN_FULL_PASS_INTERVAL_MS : FULL_PASS_INTERVAL_MS)) {
      if (!(await lookThroughAll({ db, batchSize, stopped }, source))) return
      isPassDue = false
      passedAt = Date.now()
    }
    // What is not in the log waits for the pass. Later changes do not.
    previous = present
  }
}

async function readPosition(db: Db, { isLogged }: CompanySource, previous: string | undefined) {
  const { rows } = await sql<{ present: string; isLogged: boolean }>`
    select ${snapshot} as present, ${previous ? isLogged(previous) : sql`false`} as "isLogged"`.execute(db)
  return rows[0] as { present: string; isLogged: boolean }
}

interface Pass {
  db: Db
  batchSize: number
  stopped: AbortSignal
}

/** Marks the websites of all companies, and removes those that remain unmarked. Returns whether it got to the end. */
async function lookThroughAll(pass: Pass, source: CompanySource): Promise<boolean> {
  const { db } = pass
  const { rows } = await sql<{ start: string }>`select clock_timestamp()::text as start`.execute(db)
  const start = rows[0]?.start
  return (
    (await inBatches(pass, ['companies', 'id'], (batch) => addWebsites(db, source, batch))) &&
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
    const began = performance.now()
    const { rows } = await sql<{ end: string }>`
      select ${column} as end from ${sql.table(table)} where ${column} > ${last}
      order by ${column} limit 1 offset ${batchSize - 1}`.execute(db)
    const end = rows[0]?.end
    await work(
      end === undefined ? sql`${column} > ${last}` : sql`${column} > ${last} and ${column} <= ${end}`,
    )
    if (end === undefined) return true
    last = end
    const pause = (performance.now() - began) * PAUSE_FACTOR
    await sleep(pause, undefined, { signal: stopped }).catch(() => {})
  }
  return false
}

/** Before all others, so that new companies do not wait for a large import: the later it is added, the earlier its time. */
const newestFirst = sql`timestamptz 'epoch' - (clock_timestamp() - timestamptz 'epoch')`

/** Marks websites as seen, and adds the new ones, in the order of the key, so that processes do not block each other. */
async function addWebsites(
  db: Db,
  { sharedHosts }: CompanySource,
  where: RawBuilder<unknown>,
): Promise<void> {
  const host = sql`regexp_replace(split_part(origin, '//', 2), '(:[0-9]*|[.])+$', '')`
  await sql`
    with origins as materialized (
      select distinct ${originOf(sql`companies.website`)} as origin from companies
      where companies.website is not null and ${where})
    insert into logos (origin, due_at) select origin, ${newestFirst} from origins
    where origin is not null and not exists (select from unnest(${[...sharedHosts]}::text[]) shared
        where right('.' || ${host}, length(shared) + 1) = '.' || shared)
    order by origin on conflict (origin) do update set seen_at = excluded.seen_at`.execute(db)
}

export async function removeAll(db: Db): Promise<void> {
  await sql`delete from logos`.execute(db)
}

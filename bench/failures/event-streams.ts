import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Attack, headersOf, post, type Target } from './attack.ts'

const USERS = 50
const STREAMS_PER_USER = 10
const STREAMS = USERS * STREAMS_PER_USER
/** Streams are opened one after another, as users do. */
const OPEN_INTERVAL_MS = 20
const MEASURED_MS = 10_000
/** Linux counts CPU time in these ticks. */
const TICKS_PER_SECOND = 100

/** Many users follow one bulk action, which no worker takes up, and some want more streams than they may have. */
export const progressStreams: Attack = async (target) => {
  const { url, companyIds } = target
  const action = { action_type: 'llm_score', company_ids: companyIds.slice(0, 100) }
  const created = await post(`${url}/api/bulk-actions`, action)
  if (!created.ok) throw new Error(`the bulk action was refused: ${await created.text()}`)
  const { data } = (await created.json()) as { data: { id: string } }
  return openMany(target, `${url}/api/bulk-actions/${data.id}/events`)
}

/** As many tabs of the web app follow all changes. */
export const changeStreams: Attack = (target) => openMany(target, `${target.url}/api/events`)

async function openMany(target: Target, events: string): Promise<string> {
  const before = await measure(target)
  const close = new AbortController()
  try {
    for (let n = 0; n < STREAMS; n += 1) {
      const status = await open(events, Math.floor(n / STREAMS_PER_USER), close.signal)
      if (status !== 200) throw new Error(`stream ${n + 1} was answered with ${status}`)
      await sleep(OPEN_INTERVAL_MS)
    }
    const refused = [await open(events, 0, close.signal), await open(events, USERS, close.signal)]
    if (refused.some((status) => status !== 429))
      throw new Error(`streams above the limits were answered with ${refused}`)
    const during = await measure(target)
    return `${STREAMS} streams: ${describe(before, during)}; further ones answered with 429`
  } finally {
    close.abort()
    // So that the next streams find these closed.
    await sleep(OPEN_INTERVAL_MS)
  }
}

async function open(events: string, user: number, signal: AbortSignal): Promise<number> {
  const { status, body } = await fetch(events, { headers: headersOf(user), signal })
  body?.pipeTo(new WritableStream()).catch(() => {})
  return status
}

interface Load {
  /** In percent of a core. */
  cpu: number
  /** Per second; undefined for the embedded database. */
  statements: number | undefined
}

/** The load of the service during some seconds, with that of the readers. */
async function measure({ child, databaseUrl }: Target): Promise<Load> {
  const [cpu, statements] = [await cpuSeconds(child.pid), await countStatements(databaseUrl)]
  await sleep(MEASURED_MS)
  const seconds = MEASURED_MS / 1000
  const [cpuAfter, statementsAfter] = [await cpuSeconds(child.pid), await countStatements(databaseUrl)]
  return {
    cpu: ((cpuAfter - cpu) / seconds) * 100,
    statements:
      statements === undefined || statementsAfter === undefined
        ? undefined
        : (statementsAfter - statements) / seconds,
  }
}

function describe(before: Load, during: Load): string {
  const cpu = `${(during.cpu - before.cpu).toFixed(1)} % of a core more`
  if (before.statements === undefined || during.statements === undefined) return cpu
  return `${cpu}, ${(during.statements - before.statements).toFixed(1)} statements/s more`
}

async function cpuSeconds(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name of the program, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The transactions of the database so far; a statement of the streams is one. */
async function countStatements(databaseUrl: string | undefined): Promise<number | undefined> {
  if (!databaseUrl) return undefined
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const { rows } = await client.query(
      'select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()',
    )
    return rows[0].count
  } finally {
    await client.end()
  }
}

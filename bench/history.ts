import { sql } from 'kysely'
import { type Client, createClient } from '#src/client/client.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { whenIdle } from './idle.ts'
import { lines } from './import.ts'
import type { Place } from './load.ts'
import { type Figures, type Load, measure, type Request } from './measure.ts'
import type { Running } from './processes.ts'

export interface HistoryFigures {
  history: Figures
  asOf: Figures
  /** The number of records undone, and how long it took. */
  records: number
  seconds: number
  /** List requests without an undo and during it. */
  idleLists: Figures
  lists: Figures
  /** The number of companies in the trash in the end, and list requests before and then. */
  trashed: number
  emptyTrash: Figures
  fullTrash: Figures
}

const CHANGED = 200
const CHANGES = 5
const IMPORTED = 10_000
/** The rows of the import bench start at 5,000,000. */
const FIRST = 8_000_000
const LOAD: Load = { connections: 4, seconds: 4 }
const lists = (): Request => ({
  path: `/api/companies?status=active&country_code=DE&offset=${Math.floor(Math.random() * 1000)}`,
})

/**
 * Measures reading the history of companies, undoing an import with its effect on lists, and lists next to a full trash.
 * @param trash the number of companies that the trash gets
 */
export async function measureHistory(
  { url }: Running,
  ids: string[],
  trash: number,
  usual: Load,
): Promise<HistoryFigures> {
  const client = createClient({ baseUrl: url, headers: { 'x-user-email': 'bench@example.com' } })
  await whenIdle()
  const reading = await measureReading(client, url, ids.slice(0, CHANGED))
  const emptyTrash = await measure(url, lists, usual)
  const undo = await measureUndo(client, url)
  let trashed = undo.records
  for (; trashed < trash; trashed += IMPORTED) {
    const id = await importRows(client, Math.min(IMPORTED, trash - trashed), FIRST + trashed)
    await client.undoAction({ params: { id }, body: {} })
  }
  await whenIdle()
  const fullTrash = await measure(url, lists, usual)
  return { ...reading, ...undo, trashed, emptyTrash, fullTrash }
}

async function measureReading(
  client: Client,
  url: string,
  changed: string[],
): Promise<Pick<HistoryFigures, 'history' | 'asOf'>> {
  for (let n = 0; n < CHANGES; n++)
    for (const id of changed) await client.updateCompany({ params: { id }, body: { hq_city: `City ${n}` } })
  const time = new Date(Date.now() - 1000).toISOString()
  let next = 0
  const one = (suffix: string) => (): Request => ({
    path: `/api/companies/${changed[next++ % changed.length]}${suffix}`,
  })
  return {
    history: await measure(url, one('/history'), LOAD),
    asOf: await measure(url, one(`?as_of=${time}`), LOAD),
  }
}

async function measureUndo(
  client: Client,
  url: string,
): Promise<Pick<HistoryFigures, 'records' | 'seconds' | 'idleLists' | 'lists'>> {
  const id = await importRows(client, IMPORTED, FIRST)
  const idleLists = await measure(url, lists, LOAD)
  const start = performance.now()
  const undo = client.undoAction({ params: { id }, body: {} })
  const ended = undo.then(() => (performance.now() - start) / 1000)
  const during = await measure(url, lists, { connections: 4, until: ended })
  return { records: (await undo).data.reverted, seconds: await ended, idleLists, lists: during }
}

/** Imports rows and returns the id of the action. */
async function importRows(client: Client, rows: number, first: number): Promise<string> {
  const { data } = await client.importCompanies({ body: Buffer.concat([...lines(rows, first)]) })
  return data.action_id ?? ''
}

/** The bytes that the change of one field takes in the ledger, at the median. The service must not be running. */
export async function measureChangeBytes(place: Place): Promise<number> {
  const { background: db, close } = await openDatabase(place)
  const { rows } = await sql<{ bytes: number }>`
    select percentile_cont(0.5) within group (order by pg_column_size(activity.*) + pg_column_size(actions.*)) as bytes
    from activity join actions on actions.id = action_id where kind = 'update'`.execute(db)
  await close()
  return rows[0]?.bytes ?? Number.NaN
}

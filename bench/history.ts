import { createClient } from '#src/client/client.ts'
import { lines } from './import.ts'
import { type Figures, measure, type Request } from './measure.ts'
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
}

const CHANGED = 200
const CHANGES = 5
const IMPORTED = 10_000
/** The rows of the import bench start at 5,000,000. */
const FIRST = 8_000_000
const LISTS: Request = { path: '/api/companies?status=active&country_code=DE' }

/** Measures reading the history of companies, and undoing an import with its effect on lists. */
export async function measureHistory({ url }: Running, ids: string[]): Promise<HistoryFigures> {
  const client = createClient({ baseUrl: url, headers: { 'x-user-email': 'bench@example.com' } })
  const changed = ids.slice(0, CHANGED)
  for (let n = 0; n < CHANGES; n++)
    for (const id of changed) await client.updateCompany({ params: { id }, body: { hq_city: `City ${n}` } })
  const time = new Date(Date.now() - 1000).toISOString()
  let next = 0
  const one = (suffix: string) => (): Request => ({
    path: `/api/companies/${changed[next++ % changed.length]}${suffix}`,
  })
  const load = { connections: 4, seconds: 4 }
  const history = await measure(url, one('/history'), load)
  const asOf = await measure(url, one(`?as_of=${time}`), load)

  const body = Buffer.concat([...lines(IMPORTED, FIRST)])
  const { data } = await client.importCompanies({ body })
  const idleLists = await measure(url, () => LISTS, load)
  const start = performance.now()
  const undo = client.undoAction({ params: { id: data.action_id ?? '' }, body: {} })
  const ended = undo.then(() => (performance.now() - start) / 1000)
  const lists = await measure(url, () => LISTS, { connections: 4, until: ended })
  return { history, asOf, records: (await undo).data.reverted, seconds: await ended, idleLists, lists }
}

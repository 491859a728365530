import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from './load.ts'
import { restSeconds } from './options.ts'
import { memoryOf, type Running, startRestingService } from './processes.ts'

const COMPANIES = 5
const MEASURED_SECONDS = 60
/** Of /proc: Linux counts the time of a process in hundredths of a second. */
const TICKS_PER_SECOND = 100

export interface RestFigures {
  /** Of one core, in percent. */
  cpu: number
  /** In MB. */
  memory: number
}

/** What the service takes while nobody uses it: with five companies, some time after a search has used the model. */
export async function measureRest(place: Place): Promise<RestFigures> {
  const service = await startRestingService(place)
  try {
    await searchOnce(service)
    await sleep(restSeconds * 1000)
    const before = await processorSeconds(service.child)
    const start = performance.now()
    await sleep(MEASURED_SECONDS * 1000)
    const used = (await processorSeconds(service.child)) - before
    const cpu = (100_000 * used) / (performance.now() - start)
    return { cpu, memory: await memoryOf(service.child) }
  } finally {
    await service.stop()
  }
}

async function searchOnce({ url }: Running): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  for (let n = 1; n <= COMPANIES; n++) {
    const body = JSON.stringify({ name: `Company ${n}`, activity_description: 'Makes solar panels.' })
    const { ok } = await fetch(`${url}/api/companies`, { method: 'POST', headers, body })
    if (!ok) throw new Error('A company could not be created.')
  }
  const search = await fetch(`${url}/api/companies/search/semantic?q=photovoltaics`)
  if (!search.ok) throw new Error('The search failed.')
}

/** The processor time that a process and its threads have used. */
async function processorSeconds(child: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
  return (Number(user) + Number(system)) / TICKS_PER_SECOND
}

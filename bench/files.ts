import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import autocannon from 'autocannon'
import { buildApp } from '#src/app.ts'
import { createContext } from '#src/context.ts'
import { profileKey } from '#src/features/companies/files.ts'
import { migrations } from '#src/migrations/migrations.ts'
import { loadConfig } from '#src/platform/config/config.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { newId } from '#src/platform/ids.ts'
import { folderObjects } from '#src/platform/objects/folder.ts'
import type { Place } from './load.ts'
import { memoryOf, type Running, startFilesLimit, startService } from './processes.ts'

export interface FileFigures {
  /** Requests per second for a cached profile, an unchanged one (304), and the bare handler. */
  cached: number
  notModified: number
  limit: number
  /** How often the store is read when a thousand clients request one uncached object. */
  readsOfColdObject: number
  /** Memory of the service in MB before and after it serves 10,000 files of 100 KB. */
  memoryBefore: number
  memoryAfter: number
}

/** A profile of 20 KB. */
export const PROFILE = Buffer.from(JSON.stringify({ summary: 'x'.repeat(20 * 1024) }))

const ROUNDS = 5
const WARM_UP_SECONDS = 2
const COLD_REQUESTS = 1000
const MANY_FILES = 10_000
const CONCURRENT_REQUESTS = 16

/** Measures serving files from the cache, the cost of a cache miss, and the memory that many files take. */
export async function measureFiles(place: Place, seconds: number): Promise<FileFigures> {
  const id = newId('cmp')
  await writeProfile(place, id, PROFILE)
  const readsOfColdObject = await countColdReads(place, id)
  const service = await startService(place)
  const limit = await startFilesLimit(place)
  try {
    const url = `/assets/companies/${id}/profile.json`
    const { headers } = await fetch(service.url + url, { headers: USER })
    const unchanged = { 'if-none-match': headers.get('etag') ?? '' }
    const measureRates = async (duration: number) => ({
      cached: await rate(service, url, {}, 200, duration),
      notModified: await rate(service, url, unchanged, 304, duration),
      limit: await rate(limit, url, {}, 200, duration),
    })
    // Warms up, because a process is slower in its first seconds.
    await measureRates(WARM_UP_SECONDS)
    const rates = { cached: 0, notModified: 0, limit: 0 }
    // Interleaved, so that other load on the machine affects all three alike.
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, value] of Object.entries(await measureRates(seconds)))
        rates[name as keyof typeof rates] += value / ROUNDS
    return { ...rates, readsOfColdObject, ...(await serveMany(place, service)) }
  } finally {
    await service.stop()
    await limit.stop()
  }
}

const USER = { 'x-user-email': 'bench@example.com' }

async function writeProfile({ dataFolder }: Place, id: string, content: Buffer): Promise<void> {
  const file = path.join(dataFolder, 'objects', profileKey(id))
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, content)
}

/** @throws Error if a response has another status */
async function rate(
  { url }: Running,
  path: string,
  headers: Record<string, string>,
  status: 200 | 304,
  duration: number,
): Promise<number> {
  const result = await autocannon({
    url: url + path,
    connections: 32,
    duration,
    headers: { ...USER, ...headers },
  })
  const answers = result.statusCodeStats?.[`${status}`]?.count ?? 0
  if (answers !== result.requests.total)
    throw new Error(`Not every response from ${url} had status ${status}.`)
  return answers / result.duration
}

const QUIET = { EMBEDDINGS: 'off', LOG_LEVEL: 'silent', RATE_LIMIT_STANDARD: '0' }

async function countColdReads({ dataFolder }: Place, id: string): Promise<number> {
  const config = loadConfig({ ...QUIET, DATA_DIR: dataFolder })
  const store = folderObjects(path.join(dataFolder, 'objects'))
  let reads = 0
  const open: typeof store.open = (...requested) => {
    reads += 1
    return store.open(...requested)
  }
  const context = await createContext(config, { objects: { ...store, open } })
  await migrate(context.db, migrations)
  const app = await buildApp(context)
  try {
    const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/assets/companies/${id}/profile.json`
    const answers = await Promise.all(Array.from({ length: COLD_REQUESTS }, () => fetch(url)))
    if (!answers.every(({ ok }) => ok)) throw new Error('Not every request for the cold object was answered.')
    return reads
  } finally {
    await app.close()
    await context.close()
  }
}

async function serveMany(
  place: Place,
  { url, child }: Running,
): Promise<{ memoryBefore: number; memoryAfter: number }> {
  const content = Buffer.alloc(100 * 1024, '{}')
  const memoryBefore = await memoryOf(child)
  let files = 0
  const serve = async () => {
    while (files < MANY_FILES) {
      files += 1
      const id = newId('cmp')
      await writeProfile(place, id, content)
      const answer = await fetch(`${url}/assets/companies/${id}/profile.json`, { headers: USER })
      if ((await answer.arrayBuffer()).byteLength !== content.length) throw new Error('A file was cut off.')
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, serve))
  return { memoryBefore, memoryAfter: await memoryOf(child) }
}

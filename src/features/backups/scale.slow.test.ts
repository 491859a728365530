import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { folderObjects } from '#src/platform/objects/folder.ts'
import { objectsFolder } from '#src/platform/objects/open-objects.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import {
  type KillableService,
  killableService,
  killService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'
import { ada } from '#src/testing/settings.ts'
import { readArchive } from './archive.ts'

/** More take minutes. */
const COMPANIES = Number(process.env.BACKUP_COMPANIES ?? 3000)
const FILES = 200
const WRITERS = 20

type Environment = Record<string, string | undefined>
/** Checksums by the name of a table or file, and the number of rows. */
type Content = Record<string, string>

let folder: string
let service: KillableService
const drops: (() => Promise<unknown>)[] = []
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-backups-scale-'))
  service = await killableService({ EMBEDDINGS: 'off' })
})
after(async () => {
  await removeServices()
  for (const drop of drops) await drop()
  await rm(folder, { recursive: true, force: true })
})

/** What a backup contains, whatever the order of rows and their division into parts. Each service makes its own queues. */
async function contentOf(file: string): Promise<Content> {
  const rows: Record<string, string[]> = {}
  const content: Content = {}
  await readArchive(createReadStream(file), undefined, {
    rows: (table, json) => {
      if (table === 'pgboss.queue') return
      const found = rows[table] ?? []
      rows[table] = found
      for (const row of JSON.parse(json.toString())) found.push(checksum(JSON.stringify(row)))
    },
    file: async (key, size, body) => {
      const hash = createHash('sha256')
      for await (const chunk of body) hash.update(chunk)
      content[key] = `${size} bytes ${hash.digest('hex')}`
    },
  })
  for (const [table, found] of Object.entries(rows))
    content[table] = `${found.length} rows ${checksum(found.sort().join())}`
  return content
}

const checksum = (text: string) => createHash('sha256').update(text).digest('hex')

async function run(words: string[], env: Environment): Promise<void> {
  const { status, errors } = await runCommandLine(words, { env: { PATH: process.env.PATH, ...env } })
  assert.equal(status, 0, errors)
}

async function emptyTarget(engine: string): Promise<Environment> {
  const DATA_DIR = await mkdtemp(path.join(folder, 'target-'))
  if (engine === 'embedded') return { DATA_DIR }
  const { url, drop } = await createPostgres(testServer as string)
  drops.push(drop)
  return { DATA_DIR, DATABASE_URL: url }
}

test(`every row and file of ${COMPANIES} companies is the same after each move between the engines`, async (t) => {
  const objects = folderObjects(objectsFolder(service.settings.DATA_DIR as string))
  await objects.write(
    Array.from({ length: FILES }, (_, n): [string, Buffer] => [
      `companies/cmp_${n}/x.csv`,
      randomBytes(n * 5000),
    ]),
  )
  const running = await service.start()
  const rows = Array.from(
    { length: COMPANIES },
    (_, n) => `Loom ${n} ü\u{1f600},https://loom${n}.example,${n}.25`,
  )
  for (let at = 0; at < COMPANIES; at += 5000)
    await service.client.importCompanies({
      body: `name,website,revenue_eur\n${rows.slice(at, at + 5000).join('\n')}\n`,
    })
  let isOver = false
  let writes = 0
  const writers = Array.from({ length: WRITERS }, async () => {
    for (; !isOver; writes++) {
      const { id } = (await service.client.createPerson({ body: { name: 'Ingrid' } })).data
      await service.client.createNote({ body: { body: 'Text', about: [{ type: 'person', id }] } })
    }
  })
  let file = path.join(folder, 'first.backup')
  const start = performance.now()
  await run(['backup', file, '--as', ada], service.settings).finally(() => {
    isOver = true
  })
  t.diagnostic(`backup beside ${writes} writes: ${Math.round(performance.now() - start)} ms`)
  await Promise.all(writers)
  await killService(running)
  const first = await contentOf(file)
  assert.match(first.companies ?? '', new RegExp(`^${COMPANIES} rows`))
  assert.ok(Object.keys(first).length > FILES + 20)
  const engines = testServer ? ['PostgreSQL', 'embedded', 'PostgreSQL'] : ['embedded']
  for (const [index, engine] of engines.entries()) {
    const env = await emptyTarget(engine)
    const restoring = performance.now()
    await run(['restore', file], env)
    t.diagnostic(`restored into ${engine}: ${Math.round(performance.now() - restoring)} ms`)
    file = path.join(folder, `${index}.backup`)
    await run(['backup', file], env)
    assert.deepEqual(await contentOf(file), first, `after ${engine}`)
  }
})

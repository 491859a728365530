import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { ended, killAll, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { prepareDataFolder, testServer } from './testing/database.ts'
import { eventually } from './testing/eventually.ts'
import { freePort } from './testing/free-port.ts'
import { NO_RATE_LIMITS } from './testing/settings.ts'
import { cannotMount, mountSmallDisk, type SmallDisk } from './testing/small-disk.ts'

const MB = 1024 * 1024
const JSON_HEADERS = { 'content-type': 'application/json', 'x-user-email': 'ada@example.com' }

let folder: string
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-full-disk-'))
})
after(async () => {
  await killAll()
  await rm(folder, { recursive: true, force: true })
})

type Service = RunningProcess & { url: string; metricsUrl: string }

async function launchService(dataFolder: string): Promise<Service> {
  const port = String(await freePort())
  const METRICS_PORT = String(await freePort())
  const settings = { PORT: port, METRICS_PORT, DATA_DIR: dataFolder, ...NO_RATE_LIMITS }
  return {
    ...launch('main.ts', folder, settings),
    url: `http://localhost:${port}`,
    metricsUrl: `http://127.0.0.1:${METRICS_PORT}/metrics`,
  }
}

const read = (url: string) => fetch(url, { headers: JSON_HEADERS })

const send = (url: string, body: object, method = 'POST') =>
  fetch(url, { method, headers: JSON_HEADERS, body: JSON.stringify(body) })

async function assertRefused(answer: Response): Promise<void> {
  const { error, details } = (await answer.json()) as { error: string; details: string }
  assert.equal(answer.status, 503, details)
  assert.equal(error, 'Dependency unavailable')
  assert.match(
    details,
    /^The disk that holds the database has only \d+ MB free; below 64 MB nothing is written/,
  )
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
}

const skip = testServer ? 'embedded only' : cannotMount()

describe('on a disk that fills up', { skip }, () => {
  let disk: SmallDisk
  before(() => {
    disk = mountSmallDisk(300)
  })
  afterEach(killAll)
  after(() => disk.unmount())

  test('writes are a 503, reads continue, and writes work again after space was freed', async () => {
    const data = path.join(disk.folder, 'data')
    await prepareDataFolder(data)
    const service = await launchService(data)
    const { url } = service
    await ready(url, service)
    assert.equal((await send(`${url}/api/companies`, { name: 'Before' })).status, 201)
    // The search index is made in the background, and a search on a full disk needs it.
    await eventually(async () => {
      const status = await read(`${url}/api/companies/search/status`)
      const { data } = (await status.json()) as { data: { waiting: number; fault: string | null } }
      assert.deepEqual([data.waiting, data.fault], [0, null])
    })

    await disk.fill(30 * MB)
    await eventually(async () => assertRefused(await send(`${url}/api/companies`, { name: 'Refused' })))
    await eventually(() =>
      assert.match(service.log(), /"level":50.*The disk that holds the database has only/),
    )
    await assertReadOnly(service)

    await disk.empty()
    await eventually(async () => {
      const answer = await send(`${url}/api/companies`, { name: 'After' })
      assert.equal(answer.status, 201, await answer.text())
    })

    for (let count = 0; count < 10; count++) {
      const activity_description = randomBytes(9_000).toString('hex')
      const answer = await send(`${url}/api/companies`, { name: `Long ${count}`, activity_description })
      assert.equal(answer.status, 201, await answer.text())
    }
    await disk.fill(40 * MB)
    await eventually(() => assert.equal(service.log().match(/"level":50.*has only/g)?.length, 2))
    // Waits for the checkpoint, which needs the space.
    await assertReadOnly(service)
    await disk.fill(0)
    await eventually(async () => assertRefused(await send(`${url}/api/companies`, { name: 'Refused' })))
    await assertReadOnly(service)
    service.child.kill('SIGTERM')
    assert.equal(await ended(service.child), 0, service.log())
    assert.match(service.log(), /The disk that holds the database has enough free space again/)
  })

  test('a service that starts on a full disk reads, and writes once there is space', async () => {
    await disk.fill(0)
    const service = await launchService(path.join(disk.folder, 'data'))
    const { url } = service
    await ready(url, service)
    await assertReadOnly(service)
    const long = (await (await read(`${url}/api/companies?search=Long`)).json()) as { data: unknown[] }
    assert.equal(long.data.length, 10)
    await disk.empty()
    await eventually(async () =>
      assert.equal((await send(`${url}/api/companies`, { name: 'Later' })).status, 201),
    )
    service.child.kill('SIGTERM')
    assert.equal(await ended(service.child), 0, service.log())
  })

  test('a new database on a full disk ends the start with one sentence', async () => {
    await disk.fill(100 * MB)
    const data = path.join(disk.folder, 'new')
    const service = await launchService(data)
    assert.equal(await ended(service.child), 1)
    assert.match(
      service.log(),
      /^DATA_DIR: The disk that holds \S+ has only \d+ MB free; a new database needs 128 MB\. Free some space and start again\.\n$/,
    )
    assert.ok(!existsSync(path.join(data, 'database')))
    await disk.fill(0)
    const other = await launchService(path.join(disk.folder, 'other'))
    assert.equal(await ended(other.child), 1)
    assert.match(other.log(), /^DATA_DIR: The disk that holds \S+ has only 0 MB free; [^\n]*\n$/)
  })
})

/** Everything that reads works, and everything that writes says why it does not. */
async function assertReadOnly({ url, metricsUrl }: Service): Promise<void> {
  const reads = [
    'companies',
    'companies?search=before',
    'companies/facets',
    'companies/search/status',
    'companies/search/semantic?q=before',
    'stats',
    'users/new@example.com',
    'auth/me',
  ]
  for (const path of reads) {
    const answer = await read(`${url}/api/${path}`)
    assert.equal(answer.status, 200, `${path}: ${await answer.text()}`)
  }
  assert.equal((await fetch(`${url}/api/auth/logout`, { method: 'POST' })).status, 200)
  await assertRefused(await send(`${url}/api/feedback`, { type: 'bug', title: 'Full', description: 'Full' }))
  await assertRefused(await send(`${url}/api/users/ada@example.com`, { preferences: {} }, 'PATCH'))
  const headers = { 'content-type': 'text/csv' }
  await assertRefused(
    await fetch(`${url}/api/companies/import`, { method: 'POST', headers, body: 'name\nRefused\n' }),
  )
  const readiness = await read(`${url}/readyz`)
  assert.equal(readiness.status, 200)
  const { disks } = (await readiness.json()) as { disks: { problem?: string }[] }
  assert.match(disks[0]?.problem ?? '', /^The disk that holds the database has only/)
  assert.match(await (await read(metricsUrl)).text(), /^disk_free_bytes\{disk="database"\} \d+$/m)
}

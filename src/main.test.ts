import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended, killAll, launch, openProxy, type RunningProcess, ready } from '#dev/processes.ts'
import { createSessions } from '#src/platform/identity/session.ts'
import { createClient } from './client/client.ts'
import { createPostgres, prepareDataFolder, testServer } from './testing/database.ts'
import { eventually } from './testing/eventually.ts'
import { freePort } from './testing/free-port.ts'
import { loggedRandom } from './testing/random.ts'
import { NO_RATE_LIMITS, PRODUCTION } from './testing/settings.ts'
import { slow } from './testing/slow.ts'

const KILLS = Number(process.env.SERVICE_KILLS ?? 1)
let folder: string
let npm: ChildProcess | undefined
let database: { url: string; drop(): Promise<void> } | undefined

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-main-'))
  database = testServer ? await createPostgres(testServer) : undefined
})
after(async () => {
  await killAll()
  if (npm?.pid) killGroup(npm.pid)
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Ends a process with those that it started, which may outlive it. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // They have all ended.
  }
}

type Service = RunningProcess & { url: string }

/** Starts the service as a user would, without waiting until it is ready. */
async function launchService(settings: Record<string, string> = {}): Promise<Service> {
  const port = await freePort()
  const { DATA_DIR = path.join(folder, 'data') } = settings
  if (!existsSync(DATA_DIR)) await prepareDataFolder(DATA_DIR)
  const running = launch('main.ts', folder, {
    PORT: String(port),
    DATA_DIR,
    DATABASE_URL: database?.url,
    ...NO_RATE_LIMITS,
    ...settings,
  })
  return { ...running, url: `http://localhost:${port}` }
}

async function start(settings: Record<string, string> = {}): Promise<Service> {
  const service = await launchService(settings)
  await ready(service.url, service)
  return service
}

test('SIGTERM lets requests in flight finish, and ends with 0', async () => {
  const service = await start()
  const body = 'name\nLate\n'
  const request = http.request(`${service.url}/api/companies/import`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', 'content-length': body.length, expect: '100-continue' },
  })
  const response = once(request, 'response')
  request.flushHeaders()
  await once(request, 'continue')
  service.child.kill('SIGTERM')
  await eventually(async () => assert.match(service.log(), /SIGTERM: finishing requests in flight/))
  request.end(body)
  const [answer] = await response
  assert.equal(answer.statusCode, 200)
  assert.match(await text(answer), /"created":1,/)
  assert.equal(await ended(service.child), 0)
  // Node.js warns about deprecated use of a library.
  assert.doesNotMatch(service.log(), /Warning:/)
})

test('npm start creates a database and forwards SIGTERM', async () => {
  const port = String(await freePort())
  npm = spawn('npm', ['start'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: path.join(folder, 'npm'),
      DATABASE_URL: database?.url ?? '',
    },
    stdio: 'ignore',
    detached: true,
  })
  const isUp = () =>
    fetch(`http://localhost:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await eventually(async () => assert.ok(await isUp()))
  npm.kill('SIGTERM')
  await ended(npm)
  await eventually(async () => assert.ok(!(await isUp())))
})

test('an interrupted upload imports nothing and leaves a working service', { skip: slow }, async () => {
  const service = await start({ DATA_DIR: path.join(folder, 'broken-off') })
  const rows = Array.from({ length: 100_000 }, (_value, n) => `Broken ${n},https://broken-${n}.example`)
  const socket = net.connect(Number(new URL(service.url).port), 'localhost')
  socket.on('error', () => {})
  socket.write(
    'POST /api/companies/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 99999999\r\n\r\n',
  )
  await new Promise((resolve) => socket.write(`name,website\n${rows.join('\n')}\n`, resolve))
  socket.destroy()
  const client = createClient({ baseUrl: service.url })
  const { data } = await client.importCompanies({ body: Buffer.from('name\nWhole upload\n') })
  assert.equal(data.created, 1)
  const { pagination } = await client.listCompanies({ querystring: { search: 'broken', limit: 0 } })
  assert.equal(pagination.total, 0, service.log())
  const [latest] = (await client.listImports()).data
  assert.deepEqual([latest?.state, latest?.created], ['completed', 1])
  assert.doesNotMatch(service.log(), /"level":50/)
  service.child.kill('SIGTERM')
  assert.equal(await ended(service.child), 0)
})

test('an invalid setting stops startup with an explanation', async () => {
  const { child, log } = await launchService({ PORT: 'http', LOG_LEVEL: 'loud' })
  assert.equal(await ended(child), 1)
  assert.equal(
    log(),
    'PORT: must be a whole number from 0 to 65535, not "http"\nLOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud"\n',
  )
})

test('a setting without effect is logged at startup, except by the demo', {
  skip: slow || (testServer && 'embedded only'),
}, async () => {
  const settings = { TRACKER_TOKEN: 'hunter2', S3_BUCKET: 'deals', DATA_DIR: path.join(folder, 'idle') }
  const service = await start(settings)
  assert.match(service.log(), /TRACKER_TOKEN: no effect unless TRACKER is github/)
  assert.match(service.log(), /S3_BUCKET: no effect unless OBJECTS is s3/)
  assert.doesNotMatch(service.log(), /hunter2/)
  service.child.kill('SIGTERM')
  assert.equal(await ended(service.child), 0)
  const port = String(await freePort())
  await prepareDataFolder(path.join(folder, 'data-demo'))
  const demo = launch('main.ts', folder, { ...settings, PORT: port }, ['--demo'])
  await ready(`http://localhost:${port}`, demo)
  assert.doesNotMatch(demo.log(), /no effect/)
  demo.child.kill('SIGKILL')
  await ended(demo.child)
})

test('production does not start without safe settings, and reports what is missing', async () => {
  const { child, log } = await launchService({ NODE_ENV: 'production' })
  assert.equal(await ended(child), 1)
  assert.match(
    log(),
    /^SESSION_SECRET: is required in production.*\nIDP_ISSUER: production needs an identity provider.*\nALLOWED_DOMAIN: .*\n$/,
  )
})

test('production starts while its identity provider is down', { skip: slow }, async () => {
  const service = await start({ ...PRODUCTION, PUBLIC_URL: '', DATA_DIR: path.join(folder, 'production') })
  const ask = (url: string) => fetch(service.url + url, { redirect: 'manual' })
  assert.equal((await ask('/api/stats')).status, 401)
  assert.equal((await ask('/api/auth/idp')).status, 503)
  assert.equal((await ask('/readyz')).status, 200)
  service.child.kill('SIGTERM')
  assert.equal(await ended(service.child), 0)
})

test('a session survives kill -9 and a restart', { skip: slow }, async () => {
  const settings = { DATA_DIR: path.join(folder, 'sessions') }
  let token = ''
  for (const time of ['first', 'second']) {
    const service = await start(settings)
    if (time === 'first') {
      const secret = await readFile(path.join(settings.DATA_DIR, 'session-secret'), 'utf8')
      token = await createSessions([secret]).sign({ sub: 'ada', email: 'ada@example.com' })
    }
    const answer = await fetch(`${service.url}/api/auth/me`, {
      headers: { cookie: `service_session=${token}` },
    })
    assert.equal(answer.status, 200, await answer.text())
    service.child.kill('SIGKILL')
    await ended(service.child)
  }
})

test('a second service on the same data folder exits and reports the owner', {
  skip: slow || (testServer && 'embedded only'),
}, async () => {
  const service = await start()
  const second = await launchService()
  assert.equal(await ended(second.child), 1)
  assert.match(
    second.log(),
    new RegExp(`is in use by another running service \\(process ${service.child.pid}\\)`),
  )
  assert.ok((await fetch(`${service.url}/readyz`)).ok)
  service.child.kill('SIGTERM')
  await ended(service.child)
})

test('services that start concurrently share one new database', {
  skip: slow || (!testServer && 'PostgreSQL only'),
}, async () => {
  const fresh = await createPostgres(testServer as string)
  try {
    const services = await Promise.all([1, 2, 3].map(() => start({ DATABASE_URL: fresh.url })))
    const clients = services.map(({ url }) => createClient({ baseUrl: url }))
    await Promise.all(clients.map((client, n) => client.createCompany({ body: { name: `From ${n}` } })))
    for (const client of clients) assert.equal((await client.listCompanies()).pagination.total, 3)
    for (const { child } of services) child.kill('SIGTERM')
    for (const { child } of services) assert.equal(await ended(child), 0)
  } finally {
    await fresh.drop()
  }
})

test('a database outage is a 503, and the service recovers without a restart', {
  skip: !testServer && 'PostgreSQL only',
}, async () => {
  const passage = await openProxy(database?.url as string)
  const service = await start({ DATABASE_URL: passage.url })
  const ask = async () => {
    const answer = await fetch(`${service.url}/api/companies?limit=1`)
    return { status: answer.status, body: (await answer.json()) as { error?: string } }
  }
  assert.equal((await ask()).status, 200)
  passage.cut()
  const down = await ask()
  assert.equal(down.status, 503)
  assert.equal(down.body.error, 'Dependency unavailable')
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
  await passage.open()
  await eventually(async () => assert.equal((await ask()).status, 200))
  service.child.kill('SIGTERM')
  assert.equal(await ended(service.child), 0)
  passage.cut()
})

test(`kill -9 during writes and an import (kills: ${KILLS}): no acknowledged write is lost`, {
  skip: slow,
}, async (t) => {
  const random = loggedRandom(t)
  const acknowledged = new Set<string>()
  const importer = createImportFile()
  for (let kill = 0; kill < KILLS; kill++) {
    const service = await start()
    const client = createClient({ baseUrl: service.url })
    const before = acknowledged.size
    const write = async () => {
      for (;;) acknowledged.add((await client.createCompany({ body: { name: `Kill ${kill}` } })).data.id)
    }
    const work = [write(), write(), client.importCompanies({ body: importer.file })]
    await eventually(() => assert.ok(acknowledged.size > before + 1))
    await sleep(random() * 1000)
    service.child.kill('SIGKILL')
    await Promise.allSettled(work)
    await ended(service.child)
  }
  const service = await start()
  const client = createClient({ baseUrl: service.url })
  assert.ok(acknowledged.size > KILLS, `only ${acknowledged.size} writes were acknowledged`)
  for (const id of acknowledged)
    assert.equal((await client.getCompany({ params: { id } })).data.company.id, id)

  const { data } = await client.importCompanies({ body: importer.file })
  assert.equal(data.created + data.unchanged, importer.rows, JSON.stringify(data))
  await checkWhole(client)
  service.child.kill('SIGTERM')
  await ended(service.child)
})

function createImportFile() {
  const rows = Array.from({ length: 8000 }, (_value, n) => `Imported ${n},https://imported-${n}.example`)
  return { rows: rows.length, file: `name,website\n${rows.join('\n')}\n` }
}

/** Checks that every company has its activity, every imported one its file, and that totals match the rows. */
async function checkWhole(client: ReturnType<typeof createClient>): Promise<void> {
  const created = new Set<string>()
  const { pagination } = await client.listActivity({ querystring: { limit: 1 } })
  for (let offset = 0; offset < pagination.total; offset += 1000) {
    const { data } = await client.listActivity({ querystring: { limit: 1000, offset } })
    for (const record of data) if (record.activity_type === 'company_created') created.add(record.entity_id)
  }
  const csv = await new Response(await client.exportCompanies()).text()
  const companies = [...csv.matchAll(/^(cmp_\w+),(.)/gm)].map(([, id]) => id as string)
  assert.equal((await client.listCompanies({ querystring: { limit: 1 } })).pagination.total, companies.length)
  for (const id of companies) assert.ok(created.has(id), `${id} has no activity`)
  assert.equal(created.size, companies.length)
  const imported = [...csv.matchAll(/^(cmp_\w+),Imported/gm)].map(([, id]) => id as string)
  for (const id of imported.filter((_id, index) => index % 100 === 0))
    assert.match(
      await readFile(path.join(folder, 'data', 'objects', 'companies', id, 'source.csv'), 'utf8'),
      /^name,website\r\n/,
    )
}

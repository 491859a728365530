import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { ended, killAll, launch, ready } from '#dev/processes.ts'
import { createPreparedPostgres, prepareDataFolder, testServer } from './testing/database.ts'
import { freePort } from './testing/free-port.ts'
import { slow } from './testing/slow.ts'

let folder: string
let database: { url: string; drop(): Promise<void> } | undefined
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-metrics-'))
  database = testServer ? await createPreparedPostgres(testServer) : undefined
  await prepareDataFolder(path.join(folder, 'data'))
})
afterEach(killAll)
after(async () => {
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const start = (port: number, metricsPort: number) =>
  launch('main.ts', folder, {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: database?.url,
  })

test('metrics are served on their own port and not with the API', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const service = start(port, metricsPort)
  await ready(`http://localhost:${port}`, service)
  assert.equal((await fetch(`http://localhost:${port}/metrics`)).status, 404)
  const ask = (route: string, method = 'GET') => fetch(`http://127.0.0.1:${metricsPort}${route}`, { method })
  const answer = await ask('/metrics')
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(
    await answer.text(),
    /http_request_duration_seconds_count\{method="GET",route="unknown",status="404"\} 1/,
  )
  assert.equal((await ask('/api/companies')).status, 404)
  assert.equal((await ask('/metrics', 'POST')).status, 405)
  const open = net.connect(metricsPort, '127.0.0.1')
  open.on('error', () => {})
  service.child.kill('SIGTERM')
  assert.equal(await ended(service.child), 0, service.log())
  open.destroy()
})

test('a port of the metrics that is taken ends the start with one sentence', { skip: slow }, async () => {
  const taken = net.createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as net.AddressInfo
  const service = start(await freePort(), port)
  const code = await ended(service.child)
  taken.close()
  assert.equal(code, 1)
  assert.equal(
    service.log(),
    `METRICS_PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}. Set another METRICS_PORT, or 0 to serve no metrics.\n`,
  )
})

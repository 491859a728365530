import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ended, type RunningProcess } from '#dev/processes.ts'
import { startGithub } from '#dev/trackers/github.ts'
import { eventually } from './testing/eventually.ts'
import { type KillableService, killableService, removeServices } from './testing/killable-service.fixture.ts'

const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends) await end()
  await removeServices()
})

const head = (route: string, type: string, length = 100_000) =>
  `POST ${route} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
const UNFINISHED_BODY = `${head('/api/companies', 'application/json')}{"name": "`

/** Sends each text on a connection of its own, which stays open. */
async function send({ port }: KillableService, ...texts: string[]): Promise<net.Socket[]> {
  const sockets = texts.map((text) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write(text)
    ends.push(() => socket.destroy())
    return socket
  })
  await Promise.all(sockets.map((socket) => socket.connecting && once(socket, 'connect')))
  return sockets
}

async function endInOrder({ child, log }: RunningProcess): Promise<void> {
  child.kill('SIGTERM')
  assert.equal(await ended(child), 0, log())
}

test('SIGTERM ends the service in an orderly way, although clients never finish their bodies', async () => {
  const service = await killableService({})
  const running = await service.start()
  await send(
    service,
    UNFINISHED_BODY,
    `${head('/api/companies/import', 'text/csv')}name\nFirst\n`,
    'GET /api/companies HTTP/1.1\r\nHost: local',
  )
  // The service has read the requests when it answers one that came later.
  assert.ok((await fetch(`http://localhost:${service.port}/healthz`)).ok)
  await endInOrder(running)
})

test('… although the tracker hangs while feedback is filed again', async () => {
  const tracker = await startGithub()
  ends.push(tracker.close)
  const service = await killableService(tracker.settings)
  const running = await service.start()
  tracker.failWith = () => ({ status: 429 })
  await service.client.submitFeedback({ body: { type: 'bug', title: 'Hanging' } }).catch(() => {})
  const attempts = tracker.requests.length
  tracker.failWith = () => ({ isSilent: true })
  await eventually(() => assert.ok(tracker.requests.length > attempts, running.log()))
  await send(service, UNFINISHED_BODY)
  await endInOrder(running)
})

test('… although an import is running, which is then recorded as interrupted', async () => {
  const service = await killableService({})
  const running = await service.start()
  const rows = Array.from({ length: 100_000 }, (_, n) => `Company ${n}\n`)
  const file = `name\n${rows.join('')}`
  await send(
    service,
    `${head('/api/companies/import', 'text/csv', Buffer.byteLength(file))}${file}`,
    UNFINISHED_BODY,
    'GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n',
  )
  await eventually(async () => {
    const { data } = await service.client.listCompanies({ querystring: { limit: 1 } })
    assert.ok(data.length > 0)
  })
  await endInOrder(running)
  const { db, close } = await service.openData()
  const { rows: imports } = await sql<{ state: string; error: string }>`
    select state, error from imports`.execute(db)
  await close()
  assert.deepEqual(
    imports.map(({ state }) => state),
    ['interrupted'],
  )
  assert.match(imports[0]?.error ?? '', /^The service is stopping\. .* import the same file again/)
})

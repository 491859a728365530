import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { ended, killAll, launch, ready } from '#dev/processes.ts'
import { createPreparedPostgres, prepareDataFolder, testServer } from './testing/database.ts'
import { freePort } from './testing/free-port.ts'

let folder: string
let database: { url: string; drop(): Promise<void> } | undefined

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-shutdown-'))
  database = testServer ? await createPreparedPostgres(testServer) : undefined
})
after(async () => {
  await killAll()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const head = (route: string, type: string) =>
  `POST ${route} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 100000\r\n\r\n`

test('SIGTERM ends the service in an orderly way, although clients never finish their bodies', async () => {
  const port = await freePort()
  const data = path.join(folder, 'data')
  await prepareDataFolder(data)
  const service = launch('main.ts', folder, {
    PORT: String(port),
    DATA_DIR: data,
    DATABASE_URL: database?.url,
  })
  await ready(`http://localhost:${port}`, service)
  const unfinished = [
    `${head('/api/companies', 'application/json')}{"name": "`,
    `${head('/api/companies/import', 'text/csv')}name\nFirst\n`,
    'GET /api/companies HTTP/1.1\r\nHost: local',
  ]
  const sockets = unfinished.map((text) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write(text)
    return socket
  })
  // The service has read the requests when it answers one that came later.
  await Promise.all(sockets.map((socket) => socket.connecting && once(socket, 'connect')))
  assert.ok((await fetch(`http://localhost:${port}/healthz`)).ok)
  service.child.kill('SIGTERM')
  assert.equal(await ended(service.child), 0, service.log())
  for (const socket of sockets) socket.destroy()
})

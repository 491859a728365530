import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'

test('a client that disconnects in the middle of a body is not an error of the service', async () => {
  const entries: { level: number; msg: string }[] = []
  const log = pino({}, { write: (line: string) => void entries.push(JSON.parse(line)) })
  const api = await testApp({}, { log })
  try {
    const { port } = new URL(await api.app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      'POST /api/companies HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    await eventually(async () => assert.equal(await connections(api.app.server), 1))
    socket.destroy()
    await eventually(async () => assert.equal(await connections(api.app.server), 0))
    await eventually(() => assert.ok(entries.some(({ msg }) => msg === 'POST /api/companies, cut off')))
    assert.deepEqual(
      entries.filter(({ level }) => level >= 40),
      [],
    )
  } finally {
    await api.close()
  }
})

const connections = (server: import('node:http').Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

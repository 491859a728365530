import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { Connections, watchConnections } from './connections.ts'

const MB = 1024 * 1024
/** More than the operating system takes. */
const SIZE = 32 * MB
const CHUNK = Buffer.alloc(MB / 8)

const BODIES: Record<string, () => unknown> = {
  string: () => 'x'.repeat(SIZE),
  buffer: () => Buffer.alloc(SIZE),
  stream: () => Readable.from(Array.from({ length: SIZE / CHUNK.length }, () => CHUNK)),
}

interface Service {
  app: FastifyInstance
  /** Requests a path, and returns this side, which does not read yet, and the service's side of the connection. */
  request: (path: string) => Promise<{ client: net.Socket; socket: net.Socket }>
}

const services: FastifyInstance[] = []
after(() => Promise.all(services.map((app) => app.close())))

async function serve(options: { idleMs: number; maxWaitingBytes?: number }): Promise<Service> {
  const app = Fastify({ forceCloseConnections: true })
  services.push(app)
  watchConnections(app, new Connections({ ...options, refuse: (socket) => socket.destroy() }))
  for (const [name, body] of Object.entries(BODIES))
    app.get(`/${name}`, (_request, reply) => reply.type('application/octet-stream').send(body()))
  app.get('/quiet', (_request, reply) => {
    const body = new Readable({ read() {} })
    body.push('first')
    setTimeout(() => body.push('last'), 3000)
    setTimeout(() => body.push(null), 3000)
    return reply.type('text/event-stream').send(body)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const request = async (path: string) => {
    const connected = once(app.server, 'connection')
    const client = net.connect({ port, host: '127.0.0.1' }).on('error', () => {})
    client.pause()
    client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    const [socket] = (await connected) as [net.Socket]
    return { client, socket }
  }
  return { app, request }
}

/** How many bytes arrive before the service ends the connection. With a pause, they are read bit by bit. */
async function read(client: net.Socket, pauseMs = 0): Promise<number> {
  const ended = once(client, 'close')
  let bytes = 0
  let untilPause = MB
  client.on('data', (data) => {
    bytes += data.length
    untilPause -= data.length
    if (pauseMs === 0 || untilPause > 0) return
    untilPause = MB
    client.pause()
    setTimeout(() => client.resume(), pauseMs)
  })
  client.resume()
  await ended
  return bytes
}

describe('answers that wait for their clients', { concurrency: true }, () => {
  for (const kind of Object.keys(BODIES)) {
    test(`a ${kind} that its client does not read ends with its connection`, async () => {
      const { request } = await serve({ idleMs: 1000 })
      const { client, socket } = await request(`/${kind}`)
      await once(socket, 'close')
      assert.ok((await read(client)) < SIZE)
    })

    test(`a ${kind} that is read slowly arrives in full`, async () => {
      const { request } = await serve({ idleMs: 2000 })
      const { client } = await request(`/${kind}`)
      assert.ok((await read(client, 100)) > SIZE)
    })
  }

  test('a stream that has nothing to send is not cut', async () => {
    const { request } = await serve({ idleMs: 1000 })
    const { client } = await request('/quiet')
    const ended = once(client, 'close')
    let text = ''
    client.on('data', (data) => {
      text += data
    })
    client.resume()
    await ended
    assert.match(text, /first.*last.*\r\n0\r\n\r\n$/s)
  })

  test('an answer behind one that is not ready yet waits for it', async () => {
    const { request } = await serve({ idleMs: 1000 })
    const { client } = await request('/quiet HTTP/1.1\r\nHost: localhost\r\n\r\nGET /buffer')
    assert.ok((await read(client)) > SIZE)
  })

  test('when too many bytes wait, the connection ends that has taken nothing for longest', async () => {
    const { request } = await serve({ idleMs: 3_600_000, maxWaitingBytes: 2.5 * SIZE })
    const first = await request('/buffer')
    await sleep(2500)
    const second = await request('/buffer')
    await sleep(2500)
    const third = await request('/string')
    await once(first.socket, 'close')
    assert.ok((await read(second.client)) > SIZE)
    assert.ok((await read(third.client)) > SIZE)
    assert.ok((await read(first.client)) < SIZE)
  })

  test('a connection that proceeds is not ended, however many bytes wait', async () => {
    const { request } = await serve({ idleMs: 3_600_000, maxWaitingBytes: MB })
    const proceeding = await request('/buffer')
    const proceeds = read(proceeding.client, 100)
    const unread = await request('/buffer')
    await once(unread.socket, 'close')
    assert.ok((await proceeds) > SIZE)
  })
})

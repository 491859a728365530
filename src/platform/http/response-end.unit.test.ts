import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { registerResponseEnd } from './response-end.ts'

function sendingApp() {
  const app = Fastify()
  registerResponseEnd(app)
  return app
}

test('a client that disconnects before its response is sent does no harm', async () => {
  const app = sendingApp()
  app.get('/', (request, reply) => {
    reply.send('nobody gets this')
    request.raw.socket.destroy()
  })
  app.get('/later', async (_request, reply) => reply.send('here'))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    for (const method of ['GET', 'HEAD']) {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
      socket.resume().write(`${method} / HTTP/1.1\r\nhost: localhost\r\n\r\n`)
      await once(socket, 'close')
    }
    assert.equal(await (await fetch(`${address}/later`)).text(), 'here')
  } finally {
    await app.close()
  }
})

test('a pending response closes its connection when the service shuts down', {
  timeout: 120_000,
}, async () => {
  const app = sendingApp()
  let closed: Promise<void> | undefined
  app.get('/', async () => {
    closed = app.close()
    await new Promise(setImmediate)
    return 'the last'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await once(socket, 'close')
  await closed
  assert.match(answer, /connection: close\r\n[\s\S]*the last$/i)
})

test('errors while sending are answered', async () => {
  const app = sendingApp()
  app.get('/header', (_request, reply) => {
    reply.header('x-broken', 'two\nlines').send('text')
  })
  app.get('/payload', (_request, reply) => {
    reply.type('text/plain').send({ no: 'text' })
  })
  app.register(async (later) => {
    later.addHook('onSend', async () => {
      throw new Error('of the hook')
    })
    later.get('/hook', (_request, reply) => {
      reply.send('text')
    })
  })
  for (const url of ['/header', '/payload', '/hook']) {
    const { statusCode, headers } = await app.inject(url)
    assert.equal(statusCode, 500, url)
    assert.equal(headers['x-broken'], undefined)
  }
})

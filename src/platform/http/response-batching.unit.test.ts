import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import Fastify from 'fastify'
import { eventually } from '#src/testing/eventually.ts'
import { onResponseEnd, registerResponseBatching } from './response-batching.ts'

function sendingApp() {
  const app = Fastify()
  registerResponseBatching(app)
  // As in the service: without a listener, Fastify does not measure the elapsed time.
  onResponseEnd(app, () => {})
  return app
}

// A response that took long to make is sent at once, so that a slow machine may need another try.
test('responses from one turn of the event loop are sent together', () => eventually(responsesLeaveTogether))

async function responsesLeaveTogether(): Promise<void> {
  const app = sendingApp()
  const order: string[] = []
  app.get<{ Params: { name: string } }>('/:name', ({ params }, reply) => {
    order.push(`made ${params.name}`)
    const writeHead = reply.raw.writeHead.bind(reply.raw) as (...head: unknown[]) => typeof reply.raw
    reply.raw.writeHead = (...head: unknown[]) => {
      order.push(`sent ${params.name}`)
      return writeHead(...head)
    }
    reply.send(params.name)
  })
  const answers = await Promise.all(['/a', '/b', '/c'].map((url) => app.inject(url)))
  assert.deepEqual(
    answers.map(({ payload }) => payload),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(order, ['made a', 'made b', 'made c', 'sent a', 'sent b', 'sent c'])
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
  app.get('/', (_request, reply) => {
    reply.send('the last')
    closed = app.close()
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

test('slow responses and streams are not delayed', async () => {
  const app = sendingApp()
  const order: string[] = []
  app.addHook('onSend', (request, _reply, _payload, done) => {
    order.push(request.url)
    done()
  })
  app.get('/at-once', (_request, reply) => {
    reply.send('at once')
  })
  app.get('/stream', (_request, reply) => {
    const stream = Readable.from(['a', 'stream'])
    reply.send(stream)
    order.push(`made ${reply.request.url}`)
  })
  app.get('/late', (_request, reply) => {
    const end = performance.now() + 5
    while (performance.now() < end);
    reply.send('late')
    order.push(`made ${reply.request.url}`)
  })
  await Promise.all(['/at-once', '/stream', '/late', '/at-once'].map((url) => app.inject(url)))
  assert.deepEqual(order, ['/at-once', '/stream', 'made /stream', '/late', 'made /late', '/at-once'])
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

test('a response that the handler does not return is sent once, or replaced by an error', async () => {
  const app = sendingApp()
  let sent = 0
  app.addHook('onSend', async () => {
    sent += 1
  })
  app.get('/sent', async (_request, reply) => {
    reply.code(201).send('text')
  })
  app.get('/empty', async (_request, reply) => {
    reply.code(204).send()
  })
  app.get('/thrown', async (_request, reply) => {
    reply.code(201).send('text')
    throw new Error('of the test')
  })
  for (const [url, status, body] of [
    ['/sent', 201, /^text$/],
    ['/empty', 204, /^$/],
    ['/thrown', 500, /of the test/],
  ] as const) {
    const { statusCode, payload } = await app.inject(url)
    assert.equal(statusCode, status)
    assert.match(payload, body)
  }
  await new Promise(setImmediate)
  assert.equal(sent, 3)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'
import { Connections, watchConnections } from './connections.ts'

let service: TestApp
let port: number

async function listen({ app }: TestApp): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

before(async () => {
  service = await testApp({ BODY_IDLE_TIMEOUT_SECONDS: '1', HEADERS_TIMEOUT_SECONDS: '1' })
  port = await listen(service)
})
after(() => service.close())

/** A connection to the service, which this side leaves open. `response` is all that the service sends until it ends it. */
function connect(text: string, to = port): { socket: net.Socket; response: Promise<string> } {
  const socket = net.connect({ port: to, host: '127.0.0.1', allowHalfOpen: true })
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  socket.on('error', () => {})
  socket.write(text)
  const response = once(socket, 'end').then(() => {
    socket.destroy()
    return received
  })
  return { socket, response }
}

/** The head of a request; the body follows. */
const head = (path: string, type: string, length: number, connection = 'keep-alive') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-User-Email: ${ada}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: ${connection}\r\n\r\n`

function assertTimeout(response: string): void {
  const [headers = '', body = ''] = response.split('\r\n\r\n')
  assert.match(headers, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  assert.match(headers, /connection: close/i)
  assert.match(headers, /x-content-type-options: nosniff/i)
  assert.deepEqual(JSON.parse(body), {
    error: 'Request Timeout',
    details: 'The rest of the request did not arrive in time.',
  })
}

const FORM = 'multipart/form-data; boundary=x'
const FORM_START = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\n'

// They wait most of the time.
describe('slow connections', { concurrency: true }, () => {
  for (const [kind, start] of Object.entries({
    'a JSON body': `${head('/api/companies', 'application/json', 100)}{"name": `,
    'a JSON body without its first byte': head('/api/companies', 'application/json', 100),
    'an import of CSV': `${head('/api/companies/import', 'text/csv', 100_000)}name\nFirst\n`,
    'an import of a form': `${head('/api/companies/import', FORM, 100_000)}${FORM_START}First\n`,
  }))
    test(`${kind} that stops arriving is a 408, and the connection ends`, async () => {
      const { response } = connect(start)
      assertTimeout(await response)
    })

  test('headers that do not arrive are a 408, and the connection ends', async () => {
    assertTimeout(await connect('GET /api/companies HTTP/1.1\r\nHost: local').response)
  })

  test('a connection that sends nothing at all ends', async () => {
    const { response } = connect('')
    assert.match(await response, /^(?:HTTP\/1\.1 408 |$)/)
  })

  test('the rest of a body that was refused does not keep the connection open', async () => {
    const { response } = connect(`${head('/api/companies', 'text/html', 100)}<p>`)
    assert.match(await response, /^HTTP\/1\.1 415 /)
  })

  test('the rest of a body sent to an unreadable path does not keep the connection open', async () => {
    const { response } = connect(`${head('/api/companies/%ff', 'application/json', 100)}{`)
    assert.match(await response, /^HTTP\/1\.1 400 /)
  })

  test('a body that waits for the service, and not for its client, is not cut off', {
    skip: slow,
  }, async () => {
    const slow = await testApp({ BODY_IDLE_TIMEOUT_SECONDS: '1' })
    const { app } = slow
    app.addContentTypeParser('text/slow', (_request, payload, done) => {
      setTimeout(() => {
        payload.resume()
        payload.on('end', () => done(null, undefined))
      }, 3000)
    })
    app.post('/slow', () => 'all of it')
    const address = `http://127.0.0.1:${await listen(slow)}/slow`
    const body = Buffer.alloc(5 * 1024 * 1024)
    const headers = { 'content-type': 'text/slow' }
    const answer = await fetch(address, { method: 'POST', headers, body })
    assert.equal(await answer.text(), 'all of it')
    await slow.close()
  })
})

test('a client that is still sending a body that is too large receives the answer', async () => {
  const service = await testApp()
  const address = `http://127.0.0.1:${await listen(service)}/api/companies/query`
  const body = JSON.stringify({ filter: { field: 'name', op: 'eq', value: 'x'.repeat(1_000_000) } })
  const headers = { 'content-type': 'application/json' }
  for (let n = 0; n < 10; n++) {
    const answer = await fetch(address, { method: 'POST', headers, body })
    assert.equal(answer.status, 413)
    assert.match(await answer.text(), /The body must not be larger than 737280 bytes/)
  }
  await service.close()
})

test('an import may take longer than the timeout while its bytes flow', { skip: slow }, async () => {
  const patient = await testApp({ BODY_IDLE_TIMEOUT_SECONDS: '4' })
  const rows = Array.from({ length: 12 }, (_value, n) => `Slow ${n}\n`)
  const file = `name\n${rows.join('')}`
  const start = head('/api/companies/import', 'text/csv', file.length, 'close')
  const { socket, response } = connect(start, await listen(patient))
  for (const line of file.split(/(?<=\n)/)) {
    socket.write(line)
    await sleep(400)
  }
  const body = (await response).split('\r\n\r\n')[1] ?? ''
  assert.equal(JSON.parse(body).data.created, rows.length)
  await patient.close()
})

test('a connection that is kept alive may be idle for longer than a body', { skip: slow }, async () => {
  const { socket, response } = connect('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await sleep(2500)
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  assert.equal((await response).match(/HTTP\/1\.1 200 OK/g)?.length, 2)
})

test('a body has a time limit however it trickles in, and a file a longer one', { skip: slow }, async () => {
  const refused = 'HTTP/1.1 408 Request Timeout\r\n\r\n'
  const connections = new Connections({
    idleMs: 60_000,
    bodyMs: 2000,
    uploadMs: 6000,
    refuse: (socket) => void socket.end(refused),
  })
  const app = Fastify()
  watchConnections(app, connections)
  app.post('/ordinary', () => 'all of it')
  app.post('/file', { bodyLimit: Number.MAX_SAFE_INTEGER }, () => 'all of it')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const trickle = async (path: string, length: number): Promise<string> => {
    const body = JSON.stringify('x'.repeat(length))
    const { socket, response } = connect(head(path, 'application/json', body.length, 'close'), port)
    for (const byte of body) {
      if (socket.writable) socket.write(byte)
      await sleep(100)
    }
    return response
  }
  const answers = [trickle('/ordinary', 40), trickle('/file', 40), trickle('/file', 90)]
  const [ordinary, file, slowFile] = await Promise.all(answers)
  await app.close()
  assert.deepEqual([ordinary, slowFile], [refused, refused])
  assert.match(file ?? '', /^HTTP\/1\.1 200 OK/)
})

test('a client that reads nothing of its answer is ended, one that reads slowly is not', {
  skip: slow,
}, async () => {
  const connections = new Connections({
    idleMs: 60_000,
    unreadMs: 1000,
    refuse: (socket) => socket.destroy(),
  })
  const app = Fastify()
  watchConnections(app, connections)
  const size = 32 * 1024 * 1024
  app.get('/large', () => Buffer.alloc(size))
  app.get('/late', async () => {
    await sleep(2500)
    return 'late'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address() as AddressInfo
  const ask = async (path: string, pauseMs: number): Promise<number> => {
    const socket = net.connect({ port: address.port, host: '127.0.0.1' })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    let received = 0
    try {
      for await (const part of socket) {
        // The system buffers some megabytes, so there is a pause before any of them, and then some.
        if (Math.floor(received / 4e6) !== Math.floor((received + part.length) / 4e6) || received === 0)
          await sleep(pauseMs)
        received += part.length
      }
    } catch {}
    return received
  }
  const [unread, slowly, late] = await Promise.all([ask('/large', 3000), ask('/large', 400), ask('/late', 0)])
  await app.close()
  assert.ok(unread < size, `${unread} bytes`)
  assert.ok(slowly > size, `${slowly} bytes`)
  assert.ok(late > 0)
})

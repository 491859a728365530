import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { freePort } from '#src/testing/free-port.ts'
import { EICAR, EICAR_NAME, startClamd, withClamd } from '#src/testing/virus-scanner.ts'
import { LimitExceeded, ScanFailed, ScannerDown } from './scan-errors.ts'
import { VirusScanner } from './virus-scanner.ts'

const MEGABYTE = 1024 * 1024
const host = '127.0.0.1'

/** Like the streams of the object store: small parts, read when they are asked for. */
function* parts(content: Buffer) {
  for (let start = 0; start < content.length; start += 50_000) yield content.subarray(start, start + 50_000)
}
const scan = (scanner: VirusScanner, content: Buffer | string, stopped?: AbortSignal) => {
  const bytes = Buffer.from(content)
  return scanner.scan(Readable.from(parts(bytes)), bytes.length, stopped)
}

test('a real clamd finds what it knows, and nothing else', withClamd, async (t) => {
  const clamd = await startClamd()
  t.after(() => clamd.close())
  const scanner = new VirusScanner({ host, port: clamd.port })
  assert.equal(await scan(scanner, 'A plain text'), undefined)
  assert.equal(await scan(scanner, ''), undefined)
  assert.equal(await scan(scanner, EICAR), EICAR_NAME)
  const large = randomBytes(20 * MEGABYTE)
  assert.equal(await scan(scanner, large), undefined)
  assert.equal(await scan(scanner, Buffer.concat([large, Buffer.from(EICAR)])), EICAR_NAME)
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, index) => scan(scanner, index % 2 ? EICAR : 'clean')),
  )
  assert.deepEqual(
    many,
    many.map((_, index) => (index % 2 ? EICAR_NAME : undefined)),
  )
  assert.equal(scanner.problem(), undefined)
})

test('content beyond the limits of a real clamd is neither clean nor infected', withClamd, async (t) => {
  const clamd = await startClamd({ StreamMaxLength: '2M', MaxFileSize: '1M', AlertExceedsMax: 'yes' })
  t.after(() => clamd.close())
  const scanner = new VirusScanner({ host, port: clamd.port })
  const exceeds = (setting: string) => (error: Error) => {
    assert.ok(error instanceof LimitExceeded, String(error))
    assert.equal(error.setting, setting)
    return true
  }
  for (let round = 0; round < 20; round++)
    await assert.rejects(scan(scanner, Buffer.alloc(5 * MEGABYTE)), exceeds('StreamMaxLength'))
  await assert.rejects(scan(scanner, Buffer.alloc(1.5 * MEGABYTE)), exceeds('MaxFileSize'))
  assert.equal(await scan(scanner, Buffer.alloc(0.5 * MEGABYTE)), undefined)
})

test('a real clamd that is killed and started again', withClamd, async (t) => {
  const clamd = await startClamd()
  t.after(() => clamd.close())
  const scanner = new VirusScanner({ host, port: clamd.port })
  await clamd.stop()
  await assert.rejects(scan(scanner, EICAR), ScannerDown)
  assert.match(scanner.problem() ?? '', /^The virus scanner 127\.0\.0\.1:\d+ refuses connections\.$/)
  await assert.rejects(scanner.check(), ScannerDown)
  await clamd.start()
  assert.equal(await scan(scanner, EICAR), EICAR_NAME)
  assert.equal(scanner.problem(), undefined)
})

interface FakeServer {
  scanner: VirusScanner
  /** How many bytes it has received. */
  received(): number
}

/** A server that answers in its own way once it has received something, or each time. */
async function fakeServer(
  t: TestContext,
  answer: (socket: net.Socket, part: Buffer) => void,
  listen: 'once' | 'on' = 'once',
): Promise<FakeServer> {
  const sockets = new Set<net.Socket>()
  let received = 0
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('data', (part) => {
        received += part.length
      })
    socket[listen]('data', (part) => answer(socket, part))
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    scanner: new VirusScanner({ host, port }, { connect: 500, silence: 500 }),
    received: () => received,
  }
}

for (const [problem, answer, message] of [
  ['is not clamd', 'HTTP/1.1 400 Bad Request\r\n\r\n', /answers "HTTP\/1\.1 400 Bad Request" and closes/],
  [
    'answers with an error',
    "INSTREAM: Can't write to temporary file. ERROR\0",
    /answers "INSTREAM: Can't write/,
  ],
  ['answers too early that all is well', 'stream: OK\0', /answers "stream: OK"/],
  ['stops in the middle of its answer', 'stream: O', /answers "stream: O" and closes/],
  ['closes without an answer', '', /closed the connection without an answer/],
  ['answers without an end', 'x'.repeat(10_000), /answers "x{199}…"/],
  ['names nothing', 'stream: FOUND\0', /answers "stream: FOUND"/],
] as const)
  test(`a server that ${problem} makes nothing clean`, async (t) => {
    const { scanner } = await fakeServer(t, (socket) => socket.end(answer))
    await assert.rejects(scan(scanner, Buffer.alloc(8 * MEGABYTE)), (error: Error) => {
      assert.ok(error instanceof ScanFailed, String(error))
      assert.match(error.message, message)
      return true
    })
    await assert.rejects(scanner.check(), ScannerDown)
    assert.match(scanner.problem() ?? '', /^The virus scanner 127\.0\.0\.1:\d+ cannot be used: /)
  })

test('a connection that is reset fails the scan', async (t) => {
  const { scanner } = await fakeServer(t, (socket) => socket.resetAndDestroy())
  await assert.rejects(scan(scanner, Buffer.alloc(8 * MEGABYTE)), ScanFailed)
})

test('a server that hangs is waited for as long as the limit, and reads no more than it takes', async (t) => {
  let read = 0
  const slow = await fakeServer(t, (socket) => socket.pause())
  const content = Readable.from(
    (function* () {
      for (; read < 100; read++) yield Buffer.alloc(MEGABYTE)
    })(),
  )
  await assert.rejects(slow.scanner.scan(content, 100 * MEGABYTE), /has not answered for 0\.5 seconds/)
  assert.ok(read < 50, `${read} MB were read`)
  assert.ok(content.destroyed)
  const silent = await fakeServer(t, () => {})
  await assert.rejects(scan(silent.scanner, 'short'), /has not answered for 0\.5 seconds/)
  await assert.rejects(silent.scanner.check(), ScannerDown)
})

test('a scan ends when it is stopped', async (t) => {
  const stop = new AbortController()
  const { scanner } = await fakeServer(t, () => stop.abort())
  await assert.rejects(scan(scanner, 'short', stop.signal), ScanFailed)
  await assert.rejects(scan(scanner, 'short', stop.signal), ScannerDown)
})

test('content that breaks off, fails, or has another size is not clean', async (t) => {
  const answerAtEnd = (socket: net.Socket, part: Buffer) => {
    if (part.subarray(-4).equals(Buffer.alloc(4))) socket.end('stream: OK\0')
  }
  const { scanner } = await fakeServer(t, answerAtEnd, 'on')
  assert.equal(await scan(scanner, 'fifteen letters'), undefined)
  await assert.rejects(scanner.scan(Readable.from([Buffer.from('four')]), 5), /does not have 5 bytes/)
  await assert.rejects(scanner.scan(Readable.from([Buffer.from('four')]), 3), /does not have 3 bytes/)
  const failing = new Readable({ read() {} })
  failing.push('four')
  setTimeout(() => failing.destroy(new Error('The store is down.')), 50)
  await assert.rejects(scanner.scan(failing, 4), /^Error: The store is down\.$/)
  const broken = new Readable({ read() {} })
  broken.push('four')
  setTimeout(() => broken.destroy(), 50)
  await assert.rejects(scanner.scan(broken, 4), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
  const stalled = new Readable({ read() {} })
  stalled.push('four')
  await assert.rejects(scanner.scan(stalled, 400), /has not answered for 0\.5 seconds/)
  assert.ok(stalled.destroyed)
})

test('a name that is not known, and a port on which nothing listens', async () => {
  const unknown = new VirusScanner({ host: 'scanner.invalid', port: 3310 })
  await assert.rejects(unknown.check(), {
    message: 'The virus scanner scanner.invalid:3310 is not known under this name; check CLAMAV_HOST.',
  })
  const content = Readable.from([Buffer.from('x')])
  const port = await freePort()
  await assert.rejects(new VirusScanner({ host: 'localhost', port }).scan(content, 1), {
    message: `The virus scanner localhost:${port} refuses connections.`,
  })
  assert.ok(content.destroyed)
})

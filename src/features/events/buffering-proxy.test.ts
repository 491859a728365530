import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

const BUFFER_BYTES = 4096
/** How long an event may take, with a service that is several times slower than usual. */
const DEADLINE_MS = 8000

let api: TestApp
let service: string
let proxy: http.Server
let proxied: string
before(async () => {
  api = await testApp({ WORKER: 'off', TRUST_PROXY: 'loopback' })
  service = await api.app.listen({ host: '127.0.0.1', port: 0 })
  proxy = http.createServer(forward)
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  proxied = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`
})
after(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await api.close()
})

/** Passes on blocks of 4 KB alone, whatever headers ask for. */
function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
  const headers = { ...request.headers, 'x-forwarded-for': '203.0.113.7:51344' }
  const upstream = http.request(service + request.url, { headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
    let buffered = Buffer.alloc(0)
    answer.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk])
      const whole = buffered.length - (buffered.length % BUFFER_BYTES)
      if (whole > 0) response.write(buffered.subarray(0, whole))
      buffered = buffered.subarray(whole)
    })
    answer.on('end', () => response.end(buffered))
  })
  response.on('close', () => upstream.destroy())
  upstream.end()
}

/** Follows a stream until it is closed. */
async function follow(address: string): Promise<{ text(): string; close(): void }> {
  const closing = new AbortController()
  const response = await fetch(address, { headers: { 'x-user-email': ada }, signal: closing.signal })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  const chunks: Uint8Array[] = []
  ;(async () => {
    for await (const chunk of response.body as ReadableStream<Uint8Array>) chunks.push(chunk)
  })().catch(() => {})
  return {
    text: () => Buffer.concat(chunks).toString(),
    close: () => closing.abort(),
  }
}

async function arrives(stream: { text(): string }, text: string): Promise<void> {
  for (const deadline = Date.now() + DEADLINE_MS; !stream.text().includes(text); await sleep(50))
    if (Date.now() > deadline) assert.fail(`${text} has not arrived.`)
}

test('events arrive within seconds through a proxy that buffers 4 KB', async () => {
  const stream = await follow(`${proxied}/api/events`)
  await arrives(stream, 'event: changes')
  const ids: string[] = []
  for (let n = 0; n < 3; n++) {
    const { id } = (await api.call('POST', '/api/companies', { name: `Company ${n}` })).body.data
    await arrives(stream, id)
    ids.push(id)
  }
  stream.close()
})

test('the progress of a bulk action arrives as well', async () => {
  const company = (await api.call('POST', '/api/companies', { name: 'Nordlys' })).body.data
  const body = { action_type: 'llm_score', company_ids: [company.id] }
  const { id } = (await api.call('POST', '/api/bulk-actions', body)).body.data
  const stream = await follow(`${proxied}/api/bulk-actions/${id}/events`)
  await arrives(stream, '"status":"pending"')
  await api.call('PATCH', `/api/bulk-actions/${id}`, { status: 'completed' })
  await arrives(stream, '"status":"completed"')
  stream.close()
})

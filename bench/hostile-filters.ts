import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { MAX_FILTER_BODY_BYTES } from '#src/platform/filter/schema.ts'
import type { Running } from './processes.ts'
import { quantile } from './quantile.ts'

/** Bodies of this size are parsed, however long that takes. */
const LARGEST = 'the largest body'
const SIZES = { [LARGEST]: MAX_FILTER_BODY_BYTES - 100, '1 MB': 1_000_000 }
const MAX_OWN_MS = 5
const leaf = { field: 'status', op: 'eq', value: 'active' }

/** As much of a repeated text as a size leaves room for. */
const fill = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length))
const list = (item: string, bytes: number): string => `[${fill(`${item},`, bytes).slice(0, -1)}]`

const ofSize = (name: string, bytes: number): Record<string, string> => ({
  [`${name} of levels`]: `${fill('{"not":', (bytes * 7) / 8)}{}${fill('}', bytes / 8)}`,
  [`${name} of conditions`]: `{"or":${list(JSON.stringify(leaf), bytes)}}`,
  [`${name} of values`]: `{"field":"status","op":"in","value":${list('"a"', bytes)}}`,
  [`${name} of long integers`]: `{"field":"revenue_eur","op":"in","value":${list('1234567890123456789', bytes)}}`,
  [`${name} of keys`]: `{${Array.from({ length: bytes / 14 }, (_, n) => `"${n + 10 ** 8}":1`)}}`,
  [`${name} of text`]: `{"field":"status","op":"eq","value":"${'x'.repeat(bytes)}"}`,
})

const FIRST_ROUTE = 'POST companies/query'
/** Routes that take a filter, with the other fields that they need. */
const ROUTES: Record<string, string> = {
  [FIRST_ROUTE]: '',
  'PATCH companies': '"changes":{"status":"active"},',
  'DELETE companies': '',
  'POST bulk-actions': '"action_type":"generate_embeddings",',
  'POST views': '"entity":"company","name":"Hostile",',
}

/** Filters that are refused, as JSON. */
const HOSTILE: Record<string, string> = {
  '10,000 levels': `${'{"not":'.repeat(10_000)}${JSON.stringify(leaf)}${'}'.repeat(10_000)}`,
  ...Object.assign({}, ...Object.entries(SIZES).map(([name, bytes]) => ofSize(name, bytes))),
  'a wrong operator': JSON.stringify({ ...leaf, op: 'like' }),
}

/** Every filter is sent to one route, and those that were slow on others to all. */
const REQUESTS = Object.entries(ROUTES).flatMap(([route, fields]) =>
  Object.entries(HOSTILE)
    .filter(([name]) => route === FIRST_ROUTE || /of (keys|long integers)$/.test(name))
    .map(([name, filter]) => ({
      name: route === FIRST_ROUTE ? name : `${name}, ${route}`,
      route,
      body: `{${fields}"filter":${filter}}`,
    })),
)

/** The times of a task, in milliseconds. */
async function timesOf(amount: number, task: () => unknown): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < amount; n++) {
    const start = performance.now()
    await task()
    times.push(performance.now() - start)
  }
  return times
}

/** The times at the median and at p95. */
const quantilesOf = (times: number[]): { p50: number; p95: number } => ({
  p50: quantile(times, 0.5),
  p95: quantile(times, 0.95),
})

async function refuse(url: string, route: string, body: string): Promise<void> {
  const [method = '', path] = route.split(' ')
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: { 'x-user-email': 'bench@example.com', 'content-type': 'application/json' },
    body,
  })
  const answer = await response.text()
  if (response.status !== 400 && response.status !== 413)
    throw new Error(`${response.status} ${answer.slice(0, 200)}`)
}

/** A server that refuses what it is sent: after parsing it, or by its size. */
async function startBareServer(): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    if (Number(request.headers['content-length']) > MAX_FILTER_BODY_BYTES) {
      response.writeHead(413).end()
      request.resume()
      return
    }
    JSON.parse(await text(request))
    response.writeHead(400).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close().closeAllConnections(),
  }
}

/**
 * Prints how long the refusal of hostile filters takes, next to `JSON.parse` of the same text, and to a server that does
 * nothing else. Of bodies that are refused by their size, the difference is the service's own part, without what sending a
 * megabyte takes. The process exits with 1 if that part, or all of a smaller body, takes too long at the median: the tail is
 * the client's, since the bare server has the same.
 */
export async function measureHostileFilters(service: Running, amount: number): Promise<void> {
  console.log(
    '\n| refused filter | p50 ms | p95 ms | bare server p50 ms | bare server p95 ms | own part at p50 ms | JSON.parse p50 ms |\n|---|---:|---:|---:|---:|---:|---:|',
  )
  const bareServer = await startBareServer()
  const late: string[] = []
  for (const { name, route, body } of REQUESTS) {
    for (const { url } of [service, bareServer]) await timesOf(10, () => refuse(url, route, body))
    const refused: number[] = []
    const bare: number[] = []
    // In turn, so that both meet the same load.
    for (let n = 0; n < amount; n++) {
      refused.push(...(await timesOf(1, () => refuse(service.url, route, body))))
      bare.push(...(await timesOf(1, () => refuse(bareServer.url, route, body))))
    }
    const times = quantilesOf(refused)
    const bareTimes = quantilesOf(bare)
    const own = body.length > MAX_FILTER_BODY_BYTES ? times.p50 - bareTimes.p50 : times.p50
    const parsed = quantilesOf(await timesOf(amount, () => JSON.parse(body)))
    const figures = [times.p50, times.p95, bareTimes.p50, bareTimes.p95, own, parsed.p50]
    console.log(`| ${name} | ${figures.map((value) => value.toFixed(2)).join(' | ')} |`)
    if (own > MAX_OWN_MS && !name.startsWith(LARGEST)) late.push(name)
  }
  bareServer.stop()
  if (late.length === 0) return
  console.log(
    `\nMissed: the service's own part of a refusal is at most ${MAX_OWN_MS} ms. Late: ${late.join(', ')}.`,
  )
  process.exitCode = 1
}

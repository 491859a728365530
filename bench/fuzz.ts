/**
 * `npm run fuzz`: odd and invalid requests to every operation of a live service, none of which may harm it. Its database is
 * a new one on the server at DATABASE_URL, or embedded.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { createPostgres } from '#src/testing/database.ts'
import type { KnownIds } from '#src/testing/fuzz-values.ts'
import { type Operation, operationsOf } from './fuzz/document.ts'
import { createRecords } from './fuzz/records.ts'
import { type FuzzRequest, requestsTo } from './fuzz/requests.ts'
import { FuzzClient } from './fuzz/send.ts'
import { type Running, startFuzzedService, startIdentityProvider } from './processes.ts'

const REQUESTS_PER_OPERATION = 20
const PROGRESS_INTERVAL = 10_000
const CONCURRENCY = 4
const MAX_FAULTS = 20
const MAX_SHOWN_BYTES = 2000

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    /** The same seed sends the same requests, but for the ids of records. */
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** A service that is already running, in development mode and without rate limits. */
    url: { type: 'string' },
  },
})
const seed = Number(values.seed)

/** Endless rounds of requests to all operations. */
function* requests(operations: Operation[], known: KnownIds): Generator<FuzzRequest> {
  const arbitraries = operations.map((operation) => requestsTo(operation, known))
  for (let round = 0; ; round += 1)
    for (const [index, arbitrary] of arbitraries.entries())
      yield* fc.sample(arbitrary, {
        numRuns: REQUESTS_PER_OPERATION,
        seed: seed + round * arbitraries.length + index,
      })
}

function report(number: number, { method, path: target, headers, body }: FuzzRequest, error: string): void {
  const shown = body?.subarray(0, MAX_SHOWN_BYTES)
  const text = shown?.toString()
  const isText = shown !== undefined && Buffer.from(text ?? '').equals(shown)
  const sent = { seed, number, method, url: target, headers, bodyBytes: body?.length }
  console.error(
    `FAULT ${error}\n  ${JSON.stringify({ ...sent, ...(isText ? { body: text } : { base64: shown?.toString('base64') }) })}`,
  )
}

/** Sends the requests and returns how many were answered wrongly. */
async function fuzz(url: string, hasExited: () => boolean): Promise<number> {
  const document = await fetch(`${url}/openapi.json`).then((answer) => answer.json())
  const operations = operationsOf(document as object)
  const known = await createRecords(url)
  const client = new FuzzClient(url, operations)
  const source = requests(operations, known)
  const total = Number(values.requests)
  let number = 0
  let errors = 0
  const start = performance.now()
  const work = async (): Promise<void> => {
    while (number < total && errors < MAX_FAULTS) {
      const current = ++number
      const request = source.next().value as FuzzRequest
      const error = hasExited() ? 'the process has exited' : await client.send(request)
      if (error) {
        errors += 1
        report(current, request, error)
      }
      if (current % PROGRESS_INTERVAL === 0)
        console.log(
          `${current} requests in ${Math.round((performance.now() - start) / 1000)} s, ${errors} faults`,
        )
      if (hasExited()) return
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  await client.close()
  console.log(
    `${number} requests to ${operations.length} operations with seed ${seed}: ${errors} faults`,
    client.statuses,
  )
  return errors
}

/** Starts a service of which no dependency is switched off, so that it has no reason for a 503. */
async function fuzzNewService(): Promise<number> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-fuzz-'))
  const server = process.env.DATABASE_URL
  const database = server ? await createPostgres(server) : undefined
  const place = { databaseUrl: database?.url, dataFolder: folder }
  const running: Running[] = []
  try {
    running.push(await startIdentityProvider(place))
    const service = await startFuzzedService(place)
    running.push(service)
    const { url, child } = service
    return await fuzz(url, () => child.exitCode !== null || child.signalCode !== null)
  } finally {
    for (const { child, stop } of running.reverse()) if (child.exitCode === null) await stop()
    await Promise.all([database?.drop(), rm(folder, { recursive: true, force: true })])
  }
}

const faults = values.url ? await fuzz(values.url, () => false) : await fuzzNewService()
process.exitCode = faults > 0 ? 1 : 0

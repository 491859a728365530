/** Reads in a thread of its own, so that the attack's work does not count as waiting for the service. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { request } from 'undici'

const INTERVAL_MS = 50
const TIMEOUT_MS = 30_000

const { url } = workerData as { url: string }
const times: number[] = []
let failures = 0
let isOver = false
parentPort?.once('message', () => {
  isOver = true
})

async function read(): Promise<void> {
  const start = performance.now()
  try {
    // Compressed, but not decompressed here, which would take the service's share of the processors.
    const { statusCode, body } = await request(`${url}/api/companies`, {
      headers: { 'x-user-email': 'reader@example.com', 'accept-encoding': 'gzip' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    for await (const _part of body);
    if (statusCode !== 200) failures += 1
  } catch {
    failures += 1
  }
  times.push(performance.now() - start)
}

const requests: Promise<void>[] = []
// On a fixed schedule, so that a slow answer does not spare the service the next request.
for (let next = performance.now(); !isOver; next += INTERVAL_MS) {
  requests.push(read())
  await sleep(Math.max(0, next + INTERVAL_MS - performance.now()))
}
await Promise.all(requests)
parentPort?.postMessage({ times, failures })

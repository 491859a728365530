import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '#src/client/client.ts'
import type { Place } from './load.ts'
import { type Running, startSecondService, startService } from './processes.ts'

export interface RevocationFigures {
  /** Milliseconds from the answer to the revocation until the other process refuses the key. */
  median: number
  max: number
}

const REVOCATIONS = 30
const POLL_INTERVAL_MS = 5
const headers = { 'x-user-email': 'bench@example.com' }

/** Measures how long a key that one process has revoked still works in another. */
export async function measureRevocations(place: Place): Promise<RevocationFigures> {
  const one = await startService(place)
  const other = await startSecondService(place)
  try {
    const delays: number[] = []
    for (let n = 0; n < REVOCATIONS; n++) delays.push(await revocationDelay(one, other))
    delays.sort((a, b) => a - b)
    return { median: delays[REVOCATIONS / 2] as number, max: delays.at(-1) as number }
  } finally {
    await Promise.all([one.stop(), other.stop()])
  }
}

async function revocationDelay(one: Running, other: Running): Promise<number> {
  const client = createClient({ baseUrl: one.url, headers })
  const { data } = await client.createKey({ body: { name: 'Bench', scopes: ['read'] } })
  const isAccepted = async () => {
    const authorization = `Bearer ${data.key}`
    const response = await fetch(`${other.url}/api/stats`, { headers: { authorization } })
    await response.arrayBuffer()
    return response.status === 200
  }
  if (!(await isAccepted())) throw new Error('The other process does not accept a new key.')
  // Otherwise each revocation would come at the same moment between two readings.
  await sleep(Math.random() * 500)
  await client.revokeKey({ params: { id: data.id } })
  const revokedAt = performance.now()
  while (await isAccepted()) await sleep(POLL_INTERVAL_MS)
  return performance.now() - revokedAt
}

import { performance } from 'node:perf_hooks'
import { createSessions } from '#src/platform/identity/session.ts'
import { newId } from '#src/platform/ids.ts'
import { type Load, measure } from './measure.ts'
import { BENCH_SECRET, type Running } from './processes.ts'

export interface SessionFigures {
  /** Median milliseconds to verify a new session and a cached one. */
  firstMs: number
  againMs: number
  /** Requests per second that authenticate with the cookie and with `X-User-Email`. */
  cookie: number
  header: number
}

const TOKENS = 2000
const ROUNDS = 3
const WARM_UP_SECONDS = 5
const user = {
  sub: 'bench',
  email: 'bench@example.com',
  name: 'Bench',
  picture: 'https://people.example.com/b.jpg',
}

/** Measures the cost of a session: its verification alone, and one route with the cookie and with the header. */
export async function measureSessions(service: Running, load: Load): Promise<SessionFigures> {
  const sessions = createSessions([BENCH_SECRET])
  const cookie = { cookie: `service_session=${await sessions.sign({ ...user, jti: newId('ses') })}` }
  const header = { 'x-user-email': user.email }
  const rates = { cookie: 0, header: 0 }
  const rateWith = async (headers: Record<string, string>, of = load) =>
    (await measure(service.url, () => ({ path: '/api/stats', headers }), of)).rate
  // The first requests run code that is not compiled yet.
  for (const headers of [header, cookie]) await rateWith(headers, { ...load, seconds: WARM_UP_SECONDS })
  // Interleaved, so that other load on the machine affects both alike.
  for (let round = 0; round < ROUNDS; round++) {
    rates.header += (await rateWith(header)) / ROUNDS
    rates.cookie += (await rateWith(cookie)) / ROUNDS
  }
  return { ...rates, ...(await verification()) }
}

async function verification(): Promise<{ firstMs: number; againMs: number }> {
  const sessions = createSessions([BENCH_SECRET])
  const tokens: string[] = []
  for (let n = 0; n < TOKENS; n++) tokens.push(await sessions.sign({ ...user, sub: `bench-${n}` }))
  const median = async () => {
    const times: number[] = []
    for (const token of tokens) {
      const start = performance.now()
      await sessions.verify(token)
      times.push(performance.now() - start)
    }
    return times.sort((a, b) => a - b)[TOKENS / 2] as number
  }
  return { firstMs: await median(), againMs: await median() }
}

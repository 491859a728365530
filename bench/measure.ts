import autocannon from 'autocannon'
import { quantile } from './quantile.ts'

export interface Figures {
  /** Responses per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p95: number
  p99: number
}

export interface Request {
  method?: 'GET' | 'POST'
  path: string
  body?: string
  /** Replaces the default headers. */
  headers?: Record<string, string>
}

export interface Load {
  connections: number
  /** For how many seconds, */
  seconds?: number
  /** or for how many requests in total, */
  amount?: number
  /** or until this promise settles. */
  until?: Promise<unknown>
  /** Requests per second of all connections together, at most. */
  maxRate?: number
}

/**
 * Sends requests that `next` creates.
 * @throws Error if a response is not a success
 */
export async function measure(
  baseUrl: string,
  next: () => Request,
  { connections, seconds, amount, until, maxRate }: Load,
): Promise<Figures> {
  const times: number[] = []
  let isOver = false
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(
      {
        url: baseUrl,
        connections,
        ...(amount ? { amount } : { duration: until ? 3600 : (seconds ?? 10) }),
        ...(maxRate && { overallRate: maxRate }),
        timeout: 60,
        headers: { 'x-user-email': 'bench@example.com', 'content-type': 'application/json' },
        requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
      },
      (error, figures) => (error ? reject(error) : resolve(figures)),
    )
    run.on('response', (_client, _status, _bytes, milliseconds) => {
      if (!isOver) times.push(milliseconds)
    })
    const stop = () => {
      // It stops at its next tick, up to a second later.
      isOver = true
      run.stop()
    }
    until?.then(stop, stop)
  })
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} failures, ${result.errors} errors from ${baseUrl}${next().path}`)
  return {
    rate: times.length / result.duration,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  }
}

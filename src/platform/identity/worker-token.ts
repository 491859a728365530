import type { Sessions } from './session.ts'

/** The worker's identity. No one can own this address: RFC 2606 reserves `.invalid`. */
export const WORKER_EMAIL = 'worker@deal-pipeline.invalid'

/** Signs a bearer token for the worker. */
export const signWorkerToken = (sessions: Sessions, seconds: number): Promise<string> =>
  sessions.sign({ sub: WORKER_EMAIL, email: WORKER_EMAIL, name: 'AI worker' }, seconds)

import type { Running } from '../processes.ts'

/** The service under attack. */
export interface Target extends Running {
  /** PostgreSQL's; undefined for the embedded database. */
  databaseUrl: string | undefined
  /** Some of its companies. */
  companyIds: string[]
  /** The disk that it writes to; undefined when none can be mounted here. */
  disk: Disk | undefined
}

export interface Disk {
  /** Writes a file that leaves this many bytes free. */
  fill(freeBytes: number): Promise<void>
  /** Removes that file. */
  empty(): Promise<void>
}

/**
 * Attacks the service while others read from it.
 * @returns what happened, in a few words
 * @throws AttackSkipped when it cannot run here, any other error when the service did not keep its promise
 */
export type Attack = (target: Target) => Promise<string>

export class AttackSkipped extends Error {}

/** Requests of one of many users. */
export const headersOf = (user: number): Record<string, string> => ({
  'x-user-email': `user-${user}@example.com`,
  'content-type': 'application/json',
})

export const post = (url: string, body: object, user = 0): Promise<Response> =>
  fetch(url, { method: 'POST', headers: headersOf(user), body: JSON.stringify(body) })

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '#src/platform/database/database.ts'
import { isUnstorable } from '#src/platform/database/errors.ts'
import { refusalReason } from '#src/platform/http/error-handler.ts'
import { callerOf } from '#src/platform/http/limits/rate-limits.ts'
import { withTimeout } from '#src/platform/process/with-timeout.ts'
import { DenialLimit } from './denial-limit.ts'
import {
  type AuditedEvent,
  type AuditSource,
  auditEntry,
  insertAuditEntries,
  type NewAuditEntry,
  NO_REQUEST,
} from './store.ts'

type Refusal = 'permission_denied' | 'sign_in_refused'

const MAX_PENDING = 1000
const BATCH_SIZE = 100
const WRITE_DELAY_MS = 50
const MAX_RETRY_DELAY_MS = 10_000
const CLOSE_TIMEOUT_MS = 2000

/**
 * Records events whose effect is not in the database, in the background: no request waits for the audit log or fails
 * with it. Entries stay in memory while the database is down, up to MAX_PENDING; a later entry counts those lost.
 */
export class AuditLog {
  readonly #db: Db
  readonly #log: Logger
  /** Apart from each other, so that a flood of one kind does not hide the other. */
  readonly #limits = {
    permission_denied: this.#limitOf('permission_denied'),
    sign_in_refused: this.#limitOf('sign_in_refused'),
  }
  readonly #denied = new WeakSet<AuditSource>()
  #pending: NewAuditEntry[] = []
  #lost = 0
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
  }

  /** Records an event. Returns at once. */
  record(source: AuditSource, event: AuditedEvent): void {
    if (this.#pending.length >= MAX_PENDING) {
      if (this.#lost === 0) this.#log.error('the audit log cannot be written, and entries are being lost')
      this.#lost += 1
      return
    }
    this.#pending.push(auditEntry(source, event))
    this.#schedule(WRITE_DELAY_MS)
  }

  /**
   * Records that a request was refused. Refusals beyond a limit per caller, for sign-ins per address, are only counted.
   * A second refusal of the same request is ignored.
   */
  deny(request: AuditSource, event: AuditedEvent & { event: Refusal }): void {
    if (this.#denied.has(request)) return
    this.#denied.add(request)
    const user = event.event === 'sign_in_refused' ? null : request.user
    if (this.#limits[event.event].take(callerOf(user, request.ip ?? ''))) this.record(request, event)
  }

  /** Writes the pending entries. @throws the error of the database, and keeps the entries */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#writeAll())
    return this.#writing
  }

  /** Writes the pending entries if the database answers soon. */
  async close(): Promise<void> {
    for (const limit of Object.values(this.#limits)) limit.close()
    clearTimeout(this.#timer)
    await withTimeout(CLOSE_TIMEOUT_MS, this.flush()).catch((error) => {
      this.#log.error({ err: error, entries: this.#pending.length }, 'audit entries are lost')
    })
    clearTimeout(this.#timer)
  }

  #limitOf(event: Refusal): DenialLimit {
    return new DenialLimit((count) => this.record(NO_REQUEST, { event, details: { not_recorded: count } }))
  }

  #schedule(delay: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.flush().catch((error) => this.#retry(error))
    }, delay).unref()
  }

  #retry(error: Error): void {
    if (this.#failures === 0) this.#log.warn({ err: error }, 'audit entries wait for the database')
    this.#failures += 1
    this.#schedule(Math.min(MAX_RETRY_DELAY_MS, WRITE_DELAY_MS * 2 ** this.#failures))
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, BATCH_SIZE)
      await insertAuditEntries(this.#db, batch).catch((error) => {
        if (!isUnstorable(error)) throw error
        this.#log.error({ err: error, entries: batch.length }, 'audit entries that cannot be stored are lost')
        this.#lost += batch.length
      })
      this.#failures = 0
      this.#pending = this.#pending.slice(batch.length)
      if (this.#lost > 0 && this.#pending.length === 0) this.#reportLost()
    }
  }

  #reportLost(): void {
    this.#pending.push(auditEntry(NO_REQUEST, { event: 'entries_lost', details: { entries: this.#lost } }))
    this.#lost = 0
  }
}

/** Records a request that was answered with 403. Refused sign-ins have already been recorded as such. */
export function auditDenial(audit: AuditLog, request: FastifyRequest, { statusCode }: FastifyReply): void {
  if (statusCode !== 403) return
  const { method, routeOptions } = request
  const details = { method, route: routeOptions.url ?? null, reason: refusalReason(request) ?? null }
  audit.deny(request, { event: 'permission_denied', details })
}

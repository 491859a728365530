import { setInterval as ticks } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '#src/platform/database/database.ts'
import type { Keyring } from '#src/platform/encryption/keyring.ts'
import { MailRejected, MailServerDown } from '#src/platform/mail/mail-errors.ts'
import { MAX_CONNECTIONS, type MailServer } from '#src/platform/mail/mail-server.ts'
import type { Workspace } from './content.ts'
import { type Recipient, readRecipients } from './recipients.ts'
import { renderMail } from './render.ts'
import {
  CLAIM_RENEWAL_MS,
  type ClaimedMail,
  claimMails,
  recordEnd,
  recordFailure,
  recordSent,
  releaseMails,
  renewClaims,
} from './store.ts'

const BATCH = 50

/** What sending needs. */
export interface SendingParts {
  db: Db
  keyring: Keyring
  server: MailServer
  workspace: Workspace
  log: Logger
  /** The clock that decides what is due today. */
  now?: () => Date
}

/**
 * Sends all mails that are due. A mail that the server refuses stops no other.
 * @throws MailServerDown if the server takes no mail now; all mails stay in the queue
 */
export async function sendDueMails(parts: SendingParts, stopped?: AbortSignal): Promise<void> {
  // One attempt instead of one for each connection, while the server is down.
  if (parts.server.problem()) await parts.server.check()
  while (!stopped?.aborted) {
    const claimed = await claimMails(parts.db, BATCH)
    if (claimed.length === 0) return
    await sendClaimed(parts, claimed, stopped)
  }
}

async function sendClaimed(parts: SendingParts, claimed: readonly ClaimedMail[], stopped?: AbortSignal) {
  const { db } = parts
  const waiting = [...claimed]
  const held = new Set(claimed.map(({ id }) => id))
  const renewal = renewing(parts, held)
  /** An outage of the mail server, or a failure of the database. It stops all connections before mails are released. */
  let failure: unknown
  const sendOneByOne = async (recipients: ReadonlyMap<string, Recipient>) => {
    for (let mail = waiting.shift(); mail; mail = waiting.shift()) {
      try {
        failure ??= await sendOne(parts, mail, recipients.get(mail.user_email))
      } catch (error) {
        failure ??= error
      }
      held.delete(mail.id)
      if (failure || stopped?.aborted) return
    }
  }
  try {
    const emails = [...new Set(claimed.map(({ user_email }) => user_email))]
    const recipients = await readRecipients(parts, emails)
    await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => sendOneByOne(recipients)))
  } finally {
    renewal.abort()
    await releaseMails(
      db,
      waiting.map(({ id }) => id),
    )
  }
  if (failure) throw failure
}

/** Renews the claims until it is aborted. */
function renewing({ db, log }: SendingParts, held: ReadonlySet<string>): AbortController {
  const end = new AbortController()
  const renew = async () => {
    for await (const _tick of ticks(CLAIM_RENEWAL_MS, undefined, { signal: end.signal, ref: false }))
      await renewClaims(db, [...held]).catch((err) => log.warn({ err }, 'mails may be sent twice'))
  }
  void renew().catch(() => {})
  return end
}

/** @returns the outage that stops all others */
async function sendOne(
  { db, server, workspace, log, now = () => new Date() }: SendingParts,
  mail: ClaimedMail,
  recipient: Recipient | undefined,
): Promise<MailServerDown | undefined> {
  try {
    const message = await renderMail(db, mail, recipient, workspace, now())
    if (!message) {
      await recordEnd(db, mail.id, null)
      return undefined
    }
    await server.send(message)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof MailServerDown) {
      await recordFailure(db, mail.id, message, { gives_up: false })
      return error
    }
    const isPermanent = error instanceof MailRejected && error.isPermanent
    if (isPermanent) await recordEnd(db, mail.id, message)
    const hasEnded = isPermanent || (await recordFailure(db, mail.id, message, { gives_up: true }))
    log[hasEnded ? 'error' : 'warn'](
      { mail: mail.id, ...(error instanceof MailRejected ? { reason: message } : { err: error }) },
      hasEnded ? 'mail cannot be delivered' : 'mail will be sent again',
    )
    return undefined
  }
  await recordSent(db, mail.id)
  return undefined
}

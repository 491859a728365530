import type { Logger } from 'pino'
import type { Context } from '#src/context.ts'
import { MailServerDown } from '#src/platform/mail/mail-errors.ts'
import { repeat } from '#src/platform/process/repeat.ts'
import type { Workspace } from './content.ts'
import { queueDigests } from './queue-digests.ts'
import { queueAtOnce } from './queue-now.ts'
import { sendDueMails } from './send.ts'
import { deleteOldMails } from './store.ts'

const INTERVAL_MS = 2000
/** A digest is at most this late. */
const DIGEST_INTERVAL_MS = 15_000
const CLEANUP_INTERVAL_MS = 3_600_000
const FIRST_PAUSE_MS = 4000
const MAX_PAUSE_MS = 600_000
const DEFAULT_NAME = 'Deal pipeline'

/**
 * Starts to mail notifications. Any number of processes may do so.
 * @returns a function that stops, after the mails that are being sent
 */
export function startMail({
  backgroundDb: db,
  config,
  keyring,
  log,
  mailServer,
  writes,
}: Context): () => unknown {
  if (!mailServer) return () => {}
  const { authentication: allowlist, publicUrl, timeZone, workspaceName: name = DEFAULT_NAME } = config
  const workspace: Workspace = { name, publicUrl, timeZone, allowlist }
  const queueNew = (stopped: AbortSignal) => queueAtOnce(db, new Date(), stopped)
  const sendDue = pausing(
    (stopped: AbortSignal) => sendDueMails({ db, keyring, server: mailServer, workspace, log }, stopped),
    log,
  )
  const stops = [
    repeat(writes.skipUntilWritten(queueNew), INTERVAL_MS, log),
    repeat((stopped) => queueDigests(db, timeZone, new Date(), stopped), DIGEST_INTERVAL_MS, log),
    repeat(writes.skipUntilWritten(sendDue), INTERVAL_MS, log),
    repeat(() => deleteOldMails(db), CLEANUP_INTERVAL_MS, log),
  ]
  return () => Promise.all(stops.map((stop) => stop()))
}

/**
 * The task, which after an outage of the mail server pauses for 4 seconds, then for twice as long, up to 10 minutes. Each
 * outage is logged once.
 * @param now the clock, in milliseconds
 */
export function pausing<Options extends unknown[]>(
  task: (...options: Options) => Promise<void>,
  log: Pick<Logger, 'warn' | 'info'>,
  now = () => performance.now(),
): (...options: Options) => Promise<void> {
  let outages = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  return async (...options) => {
    if (now() < pausedUntil) return
    try {
      await task(...options)
      if (outages > 0) log.info('mail is sent again')
      outages = 0
    } catch (error) {
      if (!(error instanceof MailServerDown)) throw error
      if (outages === 0) log.warn(`${error.message} Mails wait until it works again.`)
      pausedUntil = now() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** outages)
      outages += 1
    }
  }
}

import type { Context } from '#src/context.ts'
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
/** While the mail server is down, it is tried again after 4 seconds, then after twice as long, up to this. */
const MAX_PAUSE_MS = 600_000
const DEFAULT_NAME = 'Deal pipeline'

/**
 * Starts to mail notifications. Any number of processes may do so.
 * @returns a function that stops, after the mails that are being sent
 */
export function startMail({ backgroundDb: db, config, log, mailServer, writes }: Context): () => unknown {
  if (!mailServer) return () => {}
  const { publicUrl, timeZone } = config
  const workspace: Workspace = { name: config.workspaceName ?? DEFAULT_NAME, publicUrl, timeZone }
  const queueNew = (stopped: AbortSignal) => queueAtOnce(db, new Date(), stopped)
  const sendDue = (stopped: AbortSignal) => sendDueMails({ db, server: mailServer, workspace, log }, stopped)
  const stops = [
    repeat(writes.skipUntilWritten(queueNew), INTERVAL_MS, log),
    repeat((stopped) => queueDigests(db, timeZone, new Date(), stopped), DIGEST_INTERVAL_MS, log),
    repeat(writes.skipUntilWritten(sendDue), INTERVAL_MS, log, MAX_PAUSE_MS),
    repeat(() => deleteOldMails(db), CLEANUP_INTERVAL_MS, log),
  ]
  return () => Promise.all(stops.map((stop) => stop()))
}

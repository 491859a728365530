import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { isOutOfResources } from './errors.ts'

/** How long the other side may take to close a connection that this side has closed. */
const CLOSE_TIMEOUT_MS = 2000
const CONTROL_TIMEOUT_MS = 5000

interface Socket extends Duplex {
  readonly bytesRead: number
  setTimeout(milliseconds: number): void
}

/** The parts of pg's client that its types leave out. */
interface ClientInside {
  connection: { stream: Socket }
  readyForQuery: boolean
  processID: number
}

/** The process ID of the server that the connection was told when it was made. */
export const processIdOf = (client: pg.ClientBase): number => (client as unknown as ClientInside).processID

/** A connection for one short statement. */
export class ControlClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    const limits = { connectionTimeoutMillis: CONTROL_TIMEOUT_MS, query_timeout: CONTROL_TIMEOUT_MS }
    super({ ...config, ...limits })
    // Without a listener a connection that breaks would end the process.
    this.on('error', () => {})
  }
}

/**
 * Closes a connection that does not answer, as after a failover or when a router has forgotten it. Its statement fails with
 * the code ETIMEDOUT, and the pool opens another connection. An idle connection, or one that is still sending a large
 * answer, is not silent.
 * @param milliseconds how long a statement may take to answer; 0: any time
 * @param isStillWorking whether the server works on the statement, so that the connection may be silent for as long again
 */
export function closeWhenSilent(
  client: pg.ClientBase,
  milliseconds: number,
  isStillWorking?: () => Promise<boolean>,
): void {
  const inside = client as unknown as ClientInside
  const { stream } = inside.connection
  stream.setTimeout(milliseconds)
  stream.on('timeout', async () => {
    const { bytesRead } = stream
    // Reads what arrived while the event loop was busy.
    await setImmediate()
    const isSilent = () => !inside.readyForQuery && stream.bytesRead === bytesRead
    if (!isSilent()) return
    if (await isStillWorking?.()) stream.setTimeout(milliseconds)
    else if (isSilent()) stream.destroy(silent(milliseconds))
  })
  stream.once('finish', () => void setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS).unref())
}

const silent = (milliseconds: number): Error =>
  Object.assign(new Error(`The database has not answered for ${milliseconds / 1000} seconds.`), {
    code: 'ETIMEDOUT',
  })

/** Asks the server over another connection whether it works on a statement of this one. */
export async function isWorkingOn(connectionString: string, client: pg.ClientBase): Promise<boolean> {
  const other = new ControlClient({ connectionString })
  try {
    await other.connect()
    const { rowCount } = await other.query(
      // One that waits for its client to read the answer has nothing left to do.
      `select from pg_stat_activity where pid = $1 and state = 'active' and usename = current_user
        and wait_event is distinct from 'ClientWrite'`,
      [processIdOf(client)],
    )
    return rowCount === 1
  } catch (error) {
    // With no connection left, nothing is known about this one.
    return isOutOfResources(error)
  } finally {
    other.end().catch(() => {})
  }
}

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'

/** Below the ports that systems give to outgoing connections and to servers that ask for any port. */
const FIRST_PORT = 20_000
const LAST_PORT = 31_999

let nextPort: number | undefined

/**
 * Finds a free port on this machine that stays free until it is used: it is outside the range for ephemeral ports, and
 * no other process of the same test run gets it.
 */
export async function freePort(): Promise<number> {
  const { first, last } = portsOf(process.env.TEST_PORTS ?? '1/1')
  nextPort ??= randomInt(first, last + 1)
  for (;;) {
    const port: number = nextPort
    nextPort = port === last ? first : port + 1
    if (await isFree(port)) return port
  }
}

/** The ports of a process of a test run. Its share `2/5` is the second fifth of all. */
export function portsOf(share: string): { first: number; last: number } {
  const [part = 1, parts = 1] = share.split('/').map(Number)
  const count = Math.floor((LAST_PORT - FIRST_PORT + 1) / parts)
  const first = FIRST_PORT + (part - 1) * count
  return { first, last: first + count - 1 }
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer().listen(port, 'localhost')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'

/** Below the ports that systems give to outgoing connections and to servers that ask for any port. */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000

/** Finds a free port on this machine, which stays free until it is used: no server gets it by asking for any port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (await isFree(port)) return port
  }
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

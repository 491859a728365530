import { once } from 'node:events'
import net from 'node:net'

/** Finds a free port on this machine. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

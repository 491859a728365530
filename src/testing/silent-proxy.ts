import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy whose connections can go silent: it keeps them open and forwards nothing. New ones work. */
export async function openSilentProxy(target: URL) {
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    client.pipe(upstream).pipe(client)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    connections: () => pairs.size,
    silence: () => {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).resume()
        upstream.unpipe(client).resume()
      }
      return pairs.size
    },
    close: () => {
      server.close()
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
  }
}

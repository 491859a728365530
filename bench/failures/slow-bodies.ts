import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'

const CONNECTIONS = 300
const TIMEOUT_MS = 60_000
const FORM = 'multipart/form-data; boundary=x'
const FORM_START = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\n'

const head = (path: string, type: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n`

/** Requests whose client stops in the middle, and the statuses that may end them: only some imports may run at a time. */
const STARTS = [
  { start: 'GET /api/companies HTTP/1.1\r\nHost: local', statuses: [408] },
  { start: `${head('/api/companies', 'application/json')}{"name": `, statuses: [408] },
  { start: `${head('/api/companies/import', 'text/csv')}name\n`, statuses: [408, 429] },
  { start: `${head('/api/companies/import', FORM)}${FORM_START}`, statuses: [408, 429] },
]

/** Clients that begin a request and then send nothing more: each is refused, and its connection ends. */
export const slowBodies: Attack = async ({ url }) => {
  const { port } = new URL(url)
  const statuses = await Promise.all(
    STARTS.flatMap(({ start, statuses }) =>
      Array.from({ length: CONNECTIONS / STARTS.length }, async () => {
        const status = Number(/^HTTP\/1\.1 (\d+) /.exec(await stopInTheMiddle(port, start))?.[1])
        if (!statuses.includes(status)) throw new Error(`${start.split(' HTTP')[0]} ended with ${status}`)
        return status
      }),
    ),
  )
  const count = (status: number) => statuses.filter((other) => other === status).length
  return `${count(408)} connections ended with 408, ${count(429)} imports with 429`
}

async function stopInTheMiddle(port: string, start: string): Promise<string> {
  const socket = net.connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.on('error', () => {})
  socket.write(start)
  await Promise.race([
    once(socket, 'end'),
    once(socket, 'close'),
    sleep(TIMEOUT_MS, undefined, { ref: false }),
  ])
  socket.destroy()
  return answer
}

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

/** Requests whose client stops in the middle. */
const STARTS = [
  'GET /api/companies HTTP/1.1\r\nHost: local',
  `${head('/api/companies', 'application/json')}{"name": `,
  `${head('/api/companies/import', 'text/csv')}name\n`,
  `${head('/api/companies/import', FORM)}${FORM_START}`,
]

/** Clients that begin a request and then send nothing more: each gets a 408, and its connection ends. */
export const slowBodies: Attack = async ({ url }) => {
  const { port } = new URL(url)
  const answers = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_value, n) =>
      stopInTheMiddle(port, STARTS[n % STARTS.length] ?? ''),
    ),
  )
  const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 408 ')).length
  if (refused < CONNECTIONS) throw new Error(`only ${refused} of ${CONNECTIONS} were answered with 408`)
  return `${refused} connections ended with 408`
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

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { ended, killAll, launch, type RunningProcess, ready } from '#dev/processes.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { createPreparedPostgres, testServer } from './testing/database.ts'
import { eventually } from './testing/eventually.ts'
import { freePort } from './testing/free-port.ts'
import { ada, NO_RATE_LIMITS } from './testing/settings.ts'

const WRITERS = 20
const RESTARTS = 6
const skip = !testServer && 'PostgreSQL only'

/** One of the two processes, which is restarted again and again. */
interface Process {
  port: number
  agent: http.Agent
  running: RunningProcess
  /** The logs of all its lives. */
  logs: string[]
}

let folder: string
let database: { url: string; drop(): Promise<void> }
before(async () => {
  if (!testServer) return
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-rolling-'))
  database = await createPreparedPostgres(testServer)
})
after(async () => {
  if (!testServer) return
  await killAll()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start(port: number): Promise<RunningProcess> {
  const own = { PORT: String(port), DATA_DIR: folder, DATABASE_URL: database.url, EMBEDDINGS: 'off' }
  const running = launch('main.ts', folder, { ...NO_RATE_LIMITS, WORKER: 'off', ...own })
  await ready(`http://localhost:${port}`, running)
  return running
}

async function startProcess(): Promise<Process> {
  const port = await freePort()
  // As proxies do, requests share connections, which the service ends when it stops.
  const agent = new http.Agent({ keepAlive: true })
  return { port, agent, running: await start(port), logs: [] }
}

interface Attempt {
  key: string
  requestId: string
  name: string
}

/** Resolves with the answer; rejects if the connection fails before there is one. */
async function create({ port, agent }: Process, attempt: Attempt): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const headers = {
    'content-type': 'application/json',
    'x-user-email': ada,
    'idempotency-key': attempt.key,
    'x-request-id': attempt.requestId,
  }
  http
    .request({ host: 'localhost', port, agent, method: 'POST', path: '/api/companies', headers }, resolve)
    .on('error', reject)
    .end(JSON.stringify({ name: attempt.name }))
  const response = await promise
  return { status: response.statusCode ?? 0, body: await text(response) }
}

test('two processes that are restarted in turn answer every request, and lose and repeat no write', {
  skip,
}, async (t) => {
  const processes = [await startProcess(), await startProcess()]
  let isOver = false
  let turn = 0
  const acknowledged: string[] = []
  let answered = ''
  const otherAnswers: string[] = []
  const unanswered: string[] = []

  /** Sends a request to the next process, and to the other one if the first does not take it, like a load balancer. */
  const write = async (name: string) => {
    const key = randomUUID()
    for (;;) {
      const requestId = randomUUID()
      try {
        const process = processes[turn++ % 2] as Process
        const { status, body } = await create(process, { key, requestId, name })
        answered = requestId
        if (status === 201) acknowledged.push(name)
        else otherAnswers.push(`${status} ${body}`)
        return
      } catch {
        unanswered.push(requestId)
        await sleep(5)
      }
    }
  }
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; !isOver; n++) await write(`Loom ${writer}-${n}`)
  })
  try {
    for (let n = 0; n < RESTARTS; n++) {
      const process = processes[n % 2] as Process
      await sleep(500)
      process.running.child.kill('SIGTERM')
      assert.equal(await ended(process.running.child), 0, process.running.log().slice(-2000))
      process.logs.push(process.running.log())
      process.running = await start(process.port)
    }
  } finally {
    isOver = true
    await Promise.all(writers)
  }
  for (const { agent } of processes) agent.destroy()
  t.diagnostic(`${acknowledged.length} writes, ${unanswered.length} requests that no process took`)
  assert.deepEqual(otherAnswers, [])
  // A process writes its log a moment after its answers.
  const log = await eventually(() => {
    const written = processes.flatMap(({ logs, running }) => [...logs, running.log()]).join('')
    assert.ok(written.includes(answered), 'requests are logged with their ids')
    return written
  })
  assert.ok(acknowledged.length > 100, log.slice(-2000))
  assert.deepEqual(
    unanswered.filter((id) => log.includes(id)),
    [],
    'requests that a process took, and did not answer',
  )
  const { db, close } = await openDatabase({ databaseUrl: database.url, dataFolder: folder })
  const { rows } = await sql<{ name: string }>`select name from companies`.execute(db)
  await close()
  assert.deepEqual(rows.map(({ name }) => name).sort(), acknowledged.sort())
})

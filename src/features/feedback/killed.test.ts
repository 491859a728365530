import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ended, killAll, launch, ready } from '#dev/processes.ts'
import { startGithub } from '#dev/trackers/github.ts'
import { startJira } from '#dev/trackers/jira.ts'
import type { TrackerServer } from '#dev/trackers/tracker-server.ts'
import { createClient } from '#src/client/client.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { createPreparedPostgres, prepareDataFolder, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { NO_RATE_LIMITS } from '#src/testing/settings.ts'

const ends: (() => Promise<unknown>)[] = []
after(async () => {
  await killAll()
  for (const end of ends.toReversed()) await end()
})

/** Prepares a service with its own database. */
async function setUp(tracker: TrackerServer) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-feedback-'))
  const database = testServer ? await createPreparedPostgres(testServer) : undefined
  await prepareDataFolder(folder)
  ends.push(
    tracker.close,
    () => rm(folder, { recursive: true, force: true }),
    database?.drop ?? (async () => {}),
  )
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  const settings = {
    ...tracker.settings,
    ...NO_RATE_LIMITS,
    PORT: port,
    DATA_DIR: folder,
    DATABASE_URL: database?.url,
    WORKER: 'off',
  }
  return {
    client: createClient({ baseUrl: url, headers: { 'x-user-email': 'ada@example.com' } }),
    start: async () => {
      const service = launch('main.ts', folder, settings)
      await ready(url, service)
      return service
    },
    /** Ends all claims. */
    endClaims: async () => {
      const opened = await openDatabase({ databaseUrl: database?.url, dataFolder: folder })
      await sql`update feedback set not_before = now()`.execute(opened.db)
      await opened.close()
    },
  }
}

for (const [name, startTracker] of Object.entries({ GitHub: startGithub, Jira: startJira }))
  test(`a service killed after ${name} has filed an issue does not file it again`, async () => {
    const tracker = await startTracker()
    const { client, start, endClaims } = await setUp(tracker)
    const first = await start()
    tracker.failWith = ({ method, path: requested }) =>
      method === 'POST' && /\/issues?$/.test(requested) ? { isSilent: true } : undefined
    const body = { type: 'bug', title: 'Killed', description: 'In the middle.' }
    const headers = { 'idempotency-key': 'killed' }
    const answer = client.submitFeedback({ body, headers }).catch((error) => error)
    await eventually(() => assert.equal(tracker.issues.length, 1))
    first.child.kill('SIGKILL')
    await ended(first.child)
    await answer
    tracker.failWith = () => undefined

    await endClaims()
    const second = await start()
    await eventually(async () =>
      assert.equal((await client.listFeedback()).data[0]?.state, 'filed', second.log()),
    )
    const { issue_id, url } = await client.submitFeedback({ body, headers })
    assert.deepEqual([issue_id, url], [tracker.issues[0]?.id, tracker.issues[0]?.url], second.log())
    assert.equal(tracker.issues.length, 1)
    assert.deepEqual(tracker.violations, [])
    second.child.kill('SIGTERM')
    assert.equal(await ended(second.child), 0)
  })

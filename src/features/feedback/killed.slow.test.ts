import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ended } from '#dev/processes.ts'
import { startGithub } from '#dev/trackers/github.ts'
import { startJira } from '#dev/trackers/jira.ts'
import type { TrackerServer } from '#dev/trackers/tracker-server.ts'
import { eventually } from '#src/testing/eventually.ts'
import {
  type KillableService,
  killableService,
  killService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'

const trackers: TrackerServer[] = []
after(async () => {
  await removeServices()
  for (const { close } of trackers) await close()
})

/** Ends all claims. */
async function endClaims({ openData }: KillableService): Promise<void> {
  const opened = await openData()
  await sql`update feedback set not_before = now()`.execute(opened.db)
  await opened.close()
}

for (const [name, startTracker] of Object.entries({ GitHub: startGithub, Jira: startJira }))
  test(`a service killed after ${name} has filed an issue does not file it again`, async () => {
    const tracker = await startTracker()
    trackers.push(tracker)
    const service = await killableService(tracker.settings)
    const { client, start } = service
    const first = await start()
    tracker.failWith = ({ method, path: requested }) =>
      method === 'POST' && /\/issues?$/.test(requested) ? { isSilent: true } : undefined
    const body = { type: 'bug', title: 'Killed', description: 'In the middle.' }
    const headers = { 'idempotency-key': 'killed' }
    const answer = client.submitFeedback({ body, headers }).catch((error) => error)
    await eventually(() => assert.equal(tracker.issues.length, 1))
    await killService(first)
    await answer
    tracker.failWith = () => undefined

    await endClaims(service)
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

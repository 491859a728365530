import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { startJira } from '#dev/trackers/jira.ts'
import type { TrackerError, TrackerRequest, TrackerServer } from '#dev/trackers/tracker-server.ts'
import { TRACKER_SERVERS } from '#dev/trackers/trackers.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { freshDatabase, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { startFiling } from './filing.ts'
import { FEEDBACK_QUEUE, FILING_TIMING, type FilingTiming } from './queue.ts'

/** Of an outage: the tracker is not waited for, and claims last until the test ends them. */
const OUTAGE_TIMING: FilingTiming = { timeoutMs: 500, claimMs: 3600_000, queueDelaySeconds: 0 }
const bug = { type: 'bug', title: 'The board forgets its filter', description: 'It does.', page: '/dealflow' }

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function start(
  kind: keyof typeof TRACKER_SERVERS,
  settings: Record<string, string> = {},
  times: FilingTiming = OUTAGE_TIMING,
) {
  const tracker = await TRACKER_SERVERS[kind]()
  const timing = { ...times }
  const api = await testApp({ ...tracker.settings, ...settings }, { filingTiming: timing })
  ends.push(tracker.close, api.close)
  return { tracker, api, timing }
}

const submit = (api: TestApp, title: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api.call(
    'POST',
    '/api/feedback',
    { ...bug, title },
    { headers: { 'x-user-email': 'ada@example.com', ...headers } },
  )

/** The id of the stored feedback in the details of a 503. */
function savedId({ status, body }: Answer): string {
  assert.equal(status, 503, JSON.stringify(body))
  assert.equal(body.error, 'Dependency unavailable')
  assert.doesNotMatch(body.details, /token-of-tests/)
  const [, id] = /Your feedback is saved as (fb_\w+) and will be filed later/.exec(body.details) ?? []
  assert.ok(id, body.details)
  return id
}

const read = async (api: TestApp, id: string) => (await api.call('GET', `/api/feedback/${id}`)).body.data

/** Ends all claims, and the pauses before the next attempts. */
async function endClaims({ context: { db } }: TestApp): Promise<void> {
  await sql`update feedback set not_before = now() where state = 'pending'`.execute(db)
  await sql`update pgboss.job set start_after = now() where name = ${FEEDBACK_QUEUE} and start_after > now()`.execute(
    db,
  )
}

interface Recovering {
  api: TestApp
  tracker: TrackerServer
  timing: FilingTiming
}

/** Repairs the tracker, whose search then finds all issues. Waits until everything is filed. */
async function recover({ api, tracker, timing }: Recovering, ids: string[]): Promise<void> {
  tracker.failWith = () => undefined
  tracker.searchDelayMs = 0
  timing.timeoutMs = 60_000
  await eventually(
    async () => {
      await endClaims(api)
      const all = await Promise.all(ids.map((id) => read(api, id)))
      for (const { state } of all) assert.equal(state, 'filed')
    },
    { intervalMs: 200 },
  )
}

/** Fails unless the tracker has exactly one issue per id. */
async function assertFiledOnce(api: TestApp, tracker: TrackerServer, ids: string[]): Promise<void> {
  assert.deepEqual(tracker.violations, [])
  for (const id of ids) {
    const issues = tracker.issues.filter(({ body }) => body.includes(`Feedback ${id}`))
    assert.equal(issues.length, 1, id)
    const { state, issue_id, url, last_failure } = await read(api, id)
    assert.deepEqual([state, issue_id, url, last_failure], ['filed', issues[0]?.id, issues[0]?.url, null])
  }
  assert.equal(tracker.issues.length, ids.length)
}

const isFiling = ({ method, path, body }: TrackerRequest): boolean =>
  method === 'POST' && (body.query ? /^mutation/.test(body.query) : /\/issues?$/.test(path))

for (const kind of Object.keys(TRACKER_SERVERS) as (keyof typeof TRACKER_SERVERS)[])
  describe(kind, () => {
    test('feedback becomes an issue', async () => {
      const { tracker, api } = await start(kind, {}, FILING_TIMING)
      const { status, body } = await submit(api, 'One')
      assert.equal(status, 201)
      assert.deepEqual(body, {
        success: true,
        issue_id: tracker.issues[0]?.id,
        url: tracker.issues[0]?.url,
        id: body.id,
      })
      assert.equal((await read(api, body.id)).tracker, kind)
      const [{ body: text = '' } = {}] = tracker.issues
      for (const part of ['It does.', '/dealflow', 'ada@example.com', '0.1.0', `/api/feedback/${body.id}`])
        assert.ok(text.includes(part), part)
      await assertFiledOnce(api, tracker, [body.id])
    })

    test('an issue filed without a response is not filed again', { skip: slow }, async () => {
      const service = await start(kind)
      const { tracker, api, timing } = service
      const errors: TrackerError[] = [
        { cut: 'after' },
        { isSilent: true },
        { status: 502, hasDone: true },
        { cut: 'before' },
        { status: 401 },
      ]
      tracker.searchDelayMs = Number.POSITIVE_INFINITY
      ends.push(startFiling(api.context))
      const ids: string[] = []
      for (const [index, error] of errors.entries()) {
        const waiting = [error]
        const title = `Fault ${index}`
        // Another one may be filed again at the same time.
        tracker.failWith = (request) =>
          isFiling(request) && JSON.stringify(request.body).includes(title) ? waiting.shift() : undefined
        timing.timeoutMs = 'isSilent' in error ? 500 : 60_000
        ids.push(savedId(await submit(api, title)))
      }
      // The search does not find new issues yet: only what was certainly not filed is filed before its claim ends.
      await eventually(async () => assert.equal((await read(api, ids.at(-1) ?? '')).state, 'filed'))
      await recover(service, ids)
      await assertFiledOnce(api, tracker, ids)
    })
  })

const OUTAGE: TrackerError[] = [
  { status: 500 },
  { cut: 'before' },
  { cut: 'after' },
  { isSilent: true },
  { status: 503, hasDone: true },
  { status: 429, headers: { 'retry-after': '1' } },
  { status: 404 },
]

/** Makes each request to the tracker fail, each in another way, with or without filing. */
function breakDown(tracker: TrackerServer): void {
  let requests = 0
  tracker.searchDelayMs = Number.POSITIVE_INFINITY
  tracker.failWith = () => OUTAGE[requests++ % OUTAGE.length]
}

/** Waits until the search finds issues again, and every request has failed in each way since. */
async function sufferOutage({ api, tracker }: Recovering): Promise<void> {
  tracker.searchDelayMs = 0
  const before = tracker.requests.length
  await eventually(async () => {
    await endClaims(api)
    assert.ok(tracker.requests.length >= before + 2 * OUTAGE.length)
  })
}

test('after an outage everything is filed once', async () => {
  const service = await start('github')
  const { tracker, api } = service
  ends.push(startFiling(api.context))
  breakDown(tracker)
  const ids = (await Promise.all(Array.from({ length: 20 }, (_value, n) => submit(api, `Outage ${n}`)))).map(
    savedId,
  )
  await sufferOutage(service)
  await recover(service, ids)
  await assertFiledOnce(api, tracker, ids)
})

test('the queue postpones claimed feedback until the claim ends', { skip: slow }, async () => {
  const { tracker, api } = await start('github', {}, OUTAGE_TIMING)
  tracker.failWith = () => ({ cut: 'after' })
  const id = savedId(await submit(api, 'Claimed'))
  const { feedbackQueue } = api.context
  const postponed: number[] = []
  const postpone: typeof feedbackQueue.postpone = async (job, seconds) => {
    postponed.push(seconds)
    await feedbackQueue.postpone(job, seconds)
  }
  ends.push(startFiling({ ...api.context, feedbackQueue: { ...feedbackQueue, postpone } }))
  await eventually(() => assert.notEqual(postponed.length, 0))
  assert.ok((postponed[0] ?? 0) > 3000 && (postponed[0] ?? 0) <= 3600, String(postponed))
  assert.equal((await read(api, id)).attempts, 1)
})

test('the queue soon checks feedback again whose first attempt has not ended', { skip: slow }, async () => {
  const { tracker, api } = await start('github', {}, { ...OUTAGE_TIMING, timeoutMs: 60_000 })
  tracker.failWith = () => ({ status: 401 })
  const id = savedId(await submit(api, 'Slow'))
  tracker.failWith = () => undefined
  const { db, feedbackQueue } = api.context
  await sql`update feedback set last_failure = null, not_before = now() + interval '1 hour'`.execute(db)
  const postponed: number[] = []
  const postpone: typeof feedbackQueue.postpone = async (job, seconds) => {
    postponed.push(seconds)
    await feedbackQueue.postpone(job, seconds)
  }
  ends.push(startFiling({ ...api.context, feedbackQueue: { ...feedbackQueue, postpone } }))
  await eventually(() => assert.equal(postponed[0], 1))
  await sql`update feedback set last_failure = 'GitHub rejects the token.', not_before = now()`.execute(db)
  await eventually(async () => assert.equal((await read(api, id)).state, 'filed'))
})

test('two services that share a database file everything once', {
  skip: !testServer && 'PostgreSQL only',
}, async () => {
  const tracker = await TRACKER_SERVERS.github()
  const database = await freshDatabase()
  const { connectionString: databaseUrl } = database.source as { connectionString: string }
  const timing = { ...OUTAGE_TIMING }
  const api = await testApp(tracker.settings, { filingTiming: timing, database })
  const second = await testApp(tracker.settings, {
    filingTiming: timing,
    database: await openDatabase({ databaseUrl, dataFolder: '' }),
  })
  ends.push(tracker.close, api.close, second.close, startFiling(api.context), startFiling(second.context))
  breakDown(tracker)
  const ids = (
    await Promise.all(Array.from({ length: 30 }, (_value, n) => submit(n % 2 ? api : second, `Two ${n}`)))
  ).map(savedId)
  await sufferOutage({ api, tracker, timing })
  await recover({ api, tracker, timing }, ids)
  await assertFiledOnce(api, tracker, ids)
})

test('the same key gets the same answer during and after an outage', async () => {
  const service = await start('github')
  const { tracker, api } = service
  const key = { 'idempotency-key': 'once' }
  tracker.failWith = (request) => (isFiling(request) ? { cut: 'after' } : undefined)
  const ids = (await Promise.all(Array.from({ length: 5 }, () => submit(api, 'Once', key)))).map(savedId)
  assert.equal(new Set(ids).size, 1)
  assert.equal(savedId(await submit(api, 'Once', key)), ids[0])
  ends.push(startFiling(api.context))
  await recover(service, ids)
  const { status, body } = await submit(api, 'Once', key)
  assert.equal(status, 201)
  assert.deepEqual([body.id, body.issue_id], [ids[0], '1'])
  await assertFiledOnce(api, tracker, ids.slice(0, 1))
})

test('concurrent requests with the same key get the same answer', async () => {
  const { tracker, api } = await start('github', {}, FILING_TIMING)
  tracker.failWith = () => ({ delayMs: 200 })
  const key = { 'idempotency-key': 'slow' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => submit(api, 'Slow', key)))
  for (const { status, body } of answers) {
    assert.equal(status, 201)
    assert.deepEqual(body, answers[0]?.body)
  }
  assert.equal(tracker.issues.length, 1)
})

test('the log contains the reason of a failure, but no token or user text', async () => {
  const tracker = await startJira()
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) })
  const api = await testApp(tracker.settings, { filingTiming: { ...OUTAGE_TIMING, timeoutMs: 60_000 }, log })
  ends.push(tracker.close, api.close)
  const authorization = `Basic ${Buffer.from(String(tracker.settings.TRACKER_TOKEN)).toString('base64')}`
  tracker.failWith = () => ({
    status: 400,
    body: { errors: { team: 'Team is required.' }, sent: authorization },
  })
  const id = savedId(await submit(api, 'A secret title'))
  ends.push(startFiling(api.context))
  await eventually(async () => assert.ok((await read(api, id)).attempts >= 2))
  await sleep(200)
  const logged = lines.join('')
  assert.match(logged, /Jira rejected the request \(400\).*Team is required/)
  assert.doesNotMatch(logged, /token-of-tests|A secret title/)
  assert.ok(!logged.includes(authorization.slice('Basic '.length)))
})

const REJECTIONS: Record<keyof typeof TRACKER_SERVERS, { body: object; reason: string }> = {
  github: {
    body: {
      message: 'Validation Failed',
      errors: [
        { resource: 'Issue', field: 'labels', code: 'invalid' },
        { message: 'Issues need a milestone', code: 'custom' },
      ],
    },
    reason: 'GitHub rejected the request (422): Validation Failed. labels: invalid. Issues need a milestone.',
  },
  gitlab: {
    body: { message: { title: ['is too long', 'is reserved'] } },
    reason: 'GitLab rejected the request (422): title: is too long. title: is reserved.',
  },
  linear: {
    body: { errors: [{ message: 'stateId must be a UUID.', extensions: { code: 'INVALID_INPUT' } }] },
    reason: 'Linear rejected the request: stateId must be a UUID.',
  },
  jira: {
    body: { errorMessages: [], errors: { customfield_10011: 'Component is required.' } },
    reason: 'Jira rejected the request (422): customfield_10011: Component is required.',
  },
}

for (const kind of Object.keys(TRACKER_SERVERS) as (keyof typeof TRACKER_SERVERS)[])
  test(`what ${kind} rejects is not retried for ever, has the reason, and can be retried by a partner`, {
    skip: slow,
  }, async () => {
    const service = await start(kind)
    const { tracker, api } = service
    const { body, reason } = REJECTIONS[kind]
    const status = kind === 'linear' ? 200 : 422
    tracker.failWith = (request) => (isFiling(request) ? { status, body } : undefined)
    const id = savedId(await submit(api, 'Rejected', { 'idempotency-key': 'rejected' }))
    assert.equal((await api.call('POST', `/api/feedback/${id}/retry`, {})).status, 409)
    ends.push(startFiling(api.context))
    await eventually(async () => {
      await endClaims(api)
      assert.equal((await read(api, id)).state, 'rejected')
    })
    const { attempts, last_failure, issue_id } = await read(api, id)
    assert.deepEqual([attempts, last_failure, issue_id], [5, reason, null])
    const { jobs } = (
      await sql<{ jobs: number }>`
        select count(*)::int as jobs from pgboss.job where name = ${FEEDBACK_QUEUE} and state < 'completed'`.execute(
        api.context.db,
      )
    ).rows[0] ?? { jobs: Number.NaN }
    assert.equal(jobs, 0)
    const repeated = await submit(api, 'Rejected', { 'idempotency-key': 'rejected' })
    assert.match(
      repeated.body.details,
      /Your feedback is saved as fb_\w+, and will be filed when a partner retries/,
    )
    const { data } = (await api.call('GET', '/api/feedback?state=rejected')).body
    assert.deepEqual(
      data.map((each: { id: string }) => each.id),
      [id],
    )

    tracker.failWith = () => undefined
    assert.equal((await api.call('POST', `/api/feedback/${id}/retry`, {})).body.data.state, 'pending')
    await eventually(async () => assert.equal((await read(api, id)).state, 'filed'))
    await assertFiledOnce(api, tracker, [id])
    assert.equal((await api.call('POST', `/api/feedback/${id}/retry`, {})).status, 409)
    assert.equal((await api.call('POST', '/api/feedback/fb_unknown/retry', {})).status, 404)
  })

test('a slow tracker times out', async () => {
  const { tracker, api } = await start('gitlab')
  tracker.failWith = () => ({ isSilent: true })
  const answer = await submit(api, 'Slow')
  savedId(answer)
  assert.match(answer.body.details, /^GitLab did not answer in time\./)
})

test('/readyz fails if the tracker refuses the token or project, but not if it is down', {
  skip: slow,
}, async () => {
  const { api, tracker } = await start('github', { TRACKER_TOKEN: 'token-of-tests-wrong' })
  const { status, body } = await api.call('GET', '/readyz')
  assert.equal(status, 503)
  assert.equal(
    body.details,
    'tracker: GitHub rejects the token (401); check TRACKER_TOKEN and its permissions.',
  )
  const right = await testApp(tracker.settings)
  ends.push(right.close)
  assert.equal((await right.call('GET', '/readyz')).status, 200)
  for (const error of [{ cut: 'before' }, { status: 500 }, { isSilent: true }] as const) {
    tracker.failWith = () => error
    const down = await testApp(tracker.settings)
    ends.push(down.close)
    assert.equal((await down.call('GET', '/readyz')).status, 200)
  }
})

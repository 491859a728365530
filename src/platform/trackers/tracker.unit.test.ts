import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import type { TrackerServer } from '#dev/trackers/tracker-server.ts'
import { TRACKER_SERVERS } from '#dev/trackers/trackers.ts'
import { loadConfig } from '#src/platform/config/config.ts'
import { freePort } from '#src/testing/free-port.ts'
import { type Issue, TrackerFailure } from './issue.ts'
import { createTracker, type Tracker } from './tracker.ts'

const issue = (number: number): Issue => ({
  reference: `fb_01jw3f8x61g7v9x1z3b5d7${String(number).padStart(4, '0')}`,
  created_at: new Date(),
  title: 'The board forgets its filter',
  label: 'bug',
  facts: {
    type: 'bug',
    page: '/dealflow?stage=`x`',
    reporter: 'ada@example.com',
    service: 'deal-pipeline 0.1.0',
  },
  text: 'Choose a stage,\nopen a deal, go back.\n',
  link: 'https://deals.example.com/api/feedback/fb_1',
})

const soon = () => AbortSignal.timeout(60_000)
const trackerOf = (settings: Record<string, string>): Tracker => createTracker(loadConfig(settings))

async function failureOf(work: Promise<unknown>): Promise<TrackerFailure> {
  const failure = await work.then(
    () => undefined,
    (error) => error,
  )
  assert.ok(failure instanceof TrackerFailure, String(failure))
  assert.doesNotMatch(`${failure.message} ${failure.cause}`, /token-of-tests/)
  return failure
}

for (const [kind, start] of Object.entries(TRACKER_SERVERS))
  describe(kind, () => {
    let server: TrackerServer
    let tracker: Tracker
    before(async () => {
      server = await start()
      tracker = trackerOf(server.settings)
    })
    after(() => server.close())

    /** The failure of filing while the server fails like this. */
    const filing = async (number: number, error: TrackerServer['failWith'], signal = soon()) => {
      server.failWith = error
      const failure = await failureOf(tracker.file(issue(number), signal))
      server.failWith = () => undefined
      return failure
    }
    /** Whether a request files an issue, as opposed to preparing it. */
    const files = ({ method, path, body }: { method: string; path: string; body: { query?: string } }) =>
      kind === 'linear' ? /^mutation/.test(body.query ?? '') : method === 'POST' && /\/issues?$/.test(path)

    test('user input has no effect in the tracker', async () => {
      await tracker.file(
        { ...issue(90), title: '@everyone closes #1', text: '```\n@ada\n/close\nfixes example/deals#2' },
        soon(),
      )
      const { title = '', body = '' } = server.issues.pop() ?? {}
      assert.match(title, /everyone.*closes.*1/)
      assert.doesNotMatch(title, /@everyone|#1/)
      const inCode =
        kind === 'jira' ? /"codeBlock","content":\[\{"type":"text","text":"```/ : /\n````text\n```\n@ada/
      assert.match(body, inCode)
    })

    test('an issue is filed in the documented format and found again', async () => {
      assert.equal(await tracker.find(issue(1), soon()), undefined)
      const filed = await tracker.file(issue(1), soon())
      await tracker.file(issue(2), soon())
      assert.deepEqual(filed, { issue_id: server.issues[0]?.id, url: server.issues[0]?.url })
      assert.deepEqual(await tracker.find(issue(1), soon()), filed)
      assert.equal(await tracker.find(issue(3), soon()), undefined)
      assert.deepEqual(server.violations, [])
      const [{ body = '', title, labels } = {}] = server.issues
      assert.equal(title, 'The board forgets its filter')
      assert.ok(labels?.includes(kind === 'linear' ? 'ours' : 'bug'), String(labels))
      for (const part of [
        issue(1).reference,
        'ada@example.com',
        'deal-pipeline 0.1.0',
        'open a deal, go back.',
      ])
        assert.ok(body.includes(part), part)
    })

    test('the token and the project are checked', async () => {
      await tracker.check(soon())
      const token = kind === 'jira' ? 'ada@example.com:token-of-tests-wrong' : 'token-of-tests-wrong'
      const refused = await failureOf(trackerOf({ ...server.settings, TRACKER_TOKEN: token }).check(soon()))
      assert.ok(refused.isRefusal)
      assert.match(refused.message, /rejects the token.*TRACKER_TOKEN/)
      const TRACKER_PROJECT = {
        github: 'example/none',
        gitlab: 'example/none',
        linear: 'NONE',
        jira: 'NONE',
      }[kind]
      const unknown = await failureOf(
        trackerOf({ ...server.settings, TRACKER_PROJECT: TRACKER_PROJECT ?? '' }).check(soon()),
      )
      assert.ok(unknown.isRefusal)
      assert.match(unknown.message, /NONE|none/)
      assert.match(unknown.message, /TRACKER_PROJECT/)
    })

    test('a rejected issue has not been filed', async () => {
      for (const status of [401, 404, 422]) {
        const failure = await filing(10, () => ({ status }))
        assert.equal(failure.mayHaveFiled, false)
        assert.equal(failure.isRefusal, status !== 422)
        assert.ok(failure.message.includes(String(status)), failure.message)
      }
      assert.equal(await tracker.find(issue(10), soon()), undefined)
    })

    test('a rate limit reports the delay that the tracker asks for', async () => {
      const failure = await filing(11, () => ({ status: 429, headers: { 'retry-after': '120' } }))
      assert.deepEqual(
        [failure.retryAfterMs, failure.isRefusal, failure.mayHaveFiled],
        [120_000, false, false],
      )
    })

    test('an issue may have been filed despite an error', async () => {
      const failed = await filing(12, (request) => (files(request) ? { status: 502 } : undefined))
      assert.deepEqual([failed.mayHaveFiled, failed.isRefusal], [true, false])
      const cut = await filing(13, (request) => (files(request) ? { cut: 'after' } : undefined))
      assert.equal(cut.mayHaveFiled, true)
      assert.ok(await tracker.find(issue(13), soon()))
      const timeout = new AbortController()
      const timeOut = () => timeout.abort(new DOMException('of the test', 'TimeoutError'))
      const slow = await filing(
        14,
        (request) => {
          if (!files(request)) return undefined
          timeOut()
          return { isSilent: true }
        },
        timeout.signal,
      )
      assert.equal(slow.mayHaveFiled, true)
      assert.match(slow.message, /did not answer in time/)
    })

    test('an error before filing means that nothing was filed', async () => {
      server.failWith = () => ({ cut: 'before' })
      assert.equal((await failureOf(tracker.find(issue(15), soon()))).mayHaveFiled, false)
      server.failWith = () => undefined
      const { TRACKER_URL, ...settings } = server.settings
      const nowhere = new URL(TRACKER_URL ?? '')
      nowhere.port = String(await freePort())
      const failure = await failureOf(
        trackerOf({ ...settings, TRACKER_URL: nowhere.href }).file(issue(15), soon()),
      )
      assert.equal(failure.mayHaveFiled, false)
      assert.match(failure.message, /cannot be reached/)
    })

    test('a moved or wrong URL is reported', async () => {
      const moved = await filing(16, () => ({
        status: 301,
        headers: { location: 'https://elsewhere.example' },
      }))
      assert.match(moved.message, /has moved \(301\)/)
      for (const body of ['<html>', { data: 'x'.repeat(9_000_000) }]) {
        server.failWith = () => ({ status: 200, body })
        for (const ask of [tracker.find, tracker.file])
          assert.match(
            (await failureOf(ask(issue(16), soon()))).message,
            /unreadable response; check TRACKER_URL/,
          )
      }
      server.failWith = () => undefined
    })
  })

test('an endless response is not read to the end', async () => {
  const endless = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    pipeline(
      Readable.from(
        (function* () {
          for (;;) yield '['.repeat(65_536)
        })(),
      ),
      response,
      () => {},
    )
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const github = await TRACKER_SERVERS.github()
  const { port } = endless.address() as AddressInfo
  const tracker = trackerOf({ ...github.settings, TRACKER_URL: `http://127.0.0.1:${port}` })
  const { message, mayHaveFiled } = await failureOf(tracker.file(issue(1), soon()))
  assert.match(message, /unreadable response/)
  assert.equal(mayHaveFiled, true)
  endless.close()
  await github.close()
})

test('GitHub issues are paged through', async () => {
  const server = await TRACKER_SERVERS.github()
  const tracker = trackerOf(server.settings)
  const old = issue(1)
  const filed = await tracker.file(old, soon())
  for (let number = 2; number < 250; number++)
    server.issues.push({
      ...(server.issues[0] as (typeof server.issues)[0]),
      body: `Feedback ${issue(number).reference}`,
    })
  assert.deepEqual(await tracker.find(old, soon()), filed)
  assert.equal(await tracker.find(issue(999), soon()), undefined)
  assert.deepEqual(server.violations, [])
  await server.close()
})

test('in a huge GitHub repository, our issue is found in two requests', async () => {
  const server = await TRACKER_SERVERS.github()
  const tracker = trackerOf(server.settings)
  const filed = await tracker.file(issue(1), soon())
  const other = { ...server.issues[0], body: 'Another', creator: 'ben' } as (typeof server.issues)[0]
  for (let number = 0; number < 5000; number++) server.issues.push(other)
  server.requests.length = 0
  assert.deepEqual(await tracker.find(issue(1), soon()), filed)
  assert.equal(server.requests.length, 2)
  // A token without access to its own user needs more requests.
  server.failWith = ({ path }) => (path === '/user' ? { status: 403 } : undefined)
  assert.deepEqual(await tracker.find(issue(1), soon()), filed)
  assert.deepEqual(server.violations, [])
  await server.close()
})

test('the token is only sent to the tracker, even if the next page is elsewhere', async () => {
  const server = await TRACKER_SERVERS.github()
  server.failWith = ({ path }) =>
    path === '/user'
      ? undefined
      : {
          status: 200,
          headers: { link: '<https://elsewhere.example/x>; rel="next"' },
          body: [{ created_at: new Date() }],
        }
  const failure = await failureOf(trackerOf(server.settings).find(issue(1), soon()))
  assert.match(failure.message, /unreadable response/)
  await server.close()
})

test('disabled issues and archived repositories are reported with a fix', async () => {
  const server = await TRACKER_SERVERS.github()
  const tracker = trackerOf(server.settings)
  const remedy = /accepts no issues in example\/deals: issues are disabled\. Enable them.*TRACKER_PROJECT/
  server.failWith = () => ({ status: 410, body: { message: 'Issues has been disabled in this repository.' } })
  const filing = await failureOf(tracker.file(issue(1), soon()))
  assert.match(filing.message, remedy)
  assert.deepEqual([filing.isRefusal, filing.mayHaveFiled], [true, false])
  server.failWith = () => ({ status: 200, body: { has_issues: false, archived: false } })
  assert.match((await failureOf(tracker.check(soon()))).message, remedy)
  server.failWith = () => ({ status: 200, body: { has_issues: true, archived: true } })
  assert.match((await failureOf(tracker.check(soon()))).message, /it is archived\. Unarchive it/)
  await server.close()
})

test('a long type is truncated in the GitHub label and complete in the body', async () => {
  const server = await TRACKER_SERVERS.github()
  const label = 'x'.repeat(64)
  await trackerOf(server.settings).file({ ...issue(1), label, facts: { type: label } }, soon())
  assert.deepEqual(server.issues[0]?.labels, ['x'.repeat(50)])
  assert.ok(server.issues[0]?.body.includes(label))
  assert.deepEqual(server.violations, [])
  await server.close()
})

test('error messages from Linear are logged without the token', async () => {
  const server = await TRACKER_SERVERS.linear()
  for (const code of ['AUTHENTICATION_ERROR', 'INTERNAL_SERVER_ERROR', 'RATELIMITED', 'INVALID_INPUT'])
    for (const status of [200, 400]) {
      const message = `${code}: not with ${server.settings.TRACKER_TOKEN}`
      server.failWith = () => ({ status, body: { errors: [{ message, extensions: { code } }] } })
      const { cause } = await failureOf(trackerOf(server.settings).check(soon()))
      assert.equal((cause as Error).message, `${code}: not with …`)
    }
  await server.close()
})

test('a 403 from GitHub can be a rate limit', async () => {
  const server = await TRACKER_SERVERS.github()
  const headers = {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 600),
  }
  server.failWith = () => ({ status: 403, headers })
  const failure = await failureOf(trackerOf(server.settings).check(soon()))
  assert.equal(failure.isRefusal, false)
  assert.ok(failure.retryAfterMs > 500_000)
  await server.close()
})

test('a Linear team can be configured by id, and with an OAuth token', async () => {
  const server = await TRACKER_SERVERS.linear()
  const TRACKER_PROJECT = '5c9d1a4e-2e6f-4b8a-8c1d-7a6b5c4d3e2f'
  assert.equal(
    (await trackerOf({ ...server.settings, TRACKER_PROJECT }).file(issue(1), soon())).issue_id,
    'ENG-1',
  )
  await failureOf(trackerOf({ ...server.settings, TRACKER_TOKEN: 'lin_oauth_x' }).check(soon()))
  assert.equal(server.requests.at(-1)?.headers.authorization, 'Bearer lin_oauth_x')
  await server.close()
})

test('a bug becomes a Bug in Jira, and anything else a Task', async () => {
  const server = await TRACKER_SERVERS.jira()
  const tracker = trackerOf(server.settings)
  for (const label of ['bug', 'question']) await tracker.file({ ...issue(1), label }, soon())
  const types = server.requests.flatMap(({ body }) => body?.fields?.issuetype.id ?? [])
  assert.deepEqual(types, ['2', '3'])
  await server.close()
})

import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { pino } from 'pino'
import { TrackerFailure } from '#src/platform/trackers/issue.ts'
import { combineChecks, createDependencyCheck } from './dependency-checks.ts'

const refusal = () => new TrackerFailure('The token is refused.', { isRefusal: true })
const outage = () => new TrackerFailure('No response.')

/** A dependency that fails with `state.error`, and a clock in `state.now`. */
function start(error: Error | undefined) {
  const state = { error, now: 0, checks: 0 }
  const lines: [level: number, message: string][] = []
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line)
    lines.push([level, msg])
  }
  const check = async () => {
    state.checks += 1
    if (state.error) throw state.error
  }
  const readProblem = createDependencyCheck({ name: 'tracker', check }, pino({}, { write }), () => state.now)
  /** The result a minute later. */
  const later = async (next: Error | undefined) => {
    state.error = next
    state.now += 60_001
    await readProblem()
    await new Promise(setImmediate)
    return readProblem()
  }
  return { state, lines, readProblem, later }
}

test('an initial refusal is reported until it is fixed, and logged once', async () => {
  const { state, lines, readProblem, later } = start(refusal())
  assert.equal(await readProblem(), 'tracker: The token is refused.')
  state.now += 59_000
  assert.equal(await readProblem(), 'tracker: The token is refused.')
  assert.equal(state.checks, 1)
  assert.equal(await later(refusal()), 'tracker: The token is refused.')
  assert.deepEqual(lines, [[50, 'tracker: The token is refused.']])
  assert.equal(await later(outage()), 'tracker: The token is refused.')
  assert.equal(await later(undefined), undefined)
})

test('after a success, a later refusal is only logged', async () => {
  const { lines, readProblem, later } = start(undefined)
  assert.equal(await readProblem(), undefined)
  assert.equal(await later(refusal()), undefined)
  assert.deepEqual(lines, [[50, 'tracker: The token is refused.']])
  assert.equal(await later(undefined), undefined)
  assert.equal(await later(refusal()), undefined)
  assert.equal(lines.length, 2)
})

test('an outage is not reported, but a refusal after it is', async () => {
  const { lines, readProblem, later } = start(outage())
  assert.equal(await readProblem(), undefined)
  assert.equal(await later(outage()), undefined)
  assert.deepEqual(lines, [[40, 'tracker: No response.']])
  assert.equal(await later(refusal()), 'tracker: The token is refused.')
})

test('a check waits a second at most for a dependency that hangs', async (context) => {
  const { mock } = context
  mock.timers.enable({ apis: ['setTimeout'] })
  // Named imports of timers, as the check has them, are mocked only then.
  syncBuiltinESMExports()
  context.after(() => {
    mock.timers.reset()
    syncBuiltinESMExports()
  })
  const check = () => new Promise<void>(() => {})
  const silent = createDependencyCheck({ name: 'tracker', check }, pino({ level: 'silent' }))
  for (const [other, expected] of [
    [start(undefined), undefined],
    [start(refusal()), 'tracker: The token is refused.'],
  ] as const) {
    const result = combineChecks(silent, other.readProblem)()
    mock.timers.tick(1000)
    assert.equal(await result, expected)
  }
})

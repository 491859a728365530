import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { TrackerFailure } from '#src/platform/trackers/issue.ts'
import { createDependencyCheck, firstFault } from './dependency-checks.ts'

const refusal = () => new TrackerFailure('The token is refused.', { isRefusal: true })
const outage = () => new TrackerFailure('Nobody answers.')

/** A dependency that does what `state.error` says, looked at as often as `state.now` allows. */
function start(error: Error | undefined) {
  const state = { error, now: 0, looks: 0 }
  const lines: [level: number, message: string][] = []
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line)
    lines.push([level, msg])
  }
  const check = async () => {
    state.looks += 1
    if (state.error) throw state.error
  }
  const fault = createDependencyCheck({ name: 'tracker', check }, pino({}, { write }), () => state.now)
  /** What is known a minute later. */
  const later = async (next: Error | undefined) => {
    state.error = next
    state.now += 60_001
    await fault()
    await new Promise(setImmediate)
    return fault()
  }
  return { state, lines, fault, later }
}

test('a refusal from the start is told until it is mended, and is logged once', async () => {
  const { state, lines, fault, later } = start(refusal())
  assert.equal(await fault(), 'tracker: The token is refused.')
  state.now += 59_000
  assert.equal(await fault(), 'tracker: The token is refused.')
  assert.equal(state.looks, 1)
  assert.equal(await later(refusal()), 'tracker: The token is refused.')
  assert.deepEqual(lines, [[50, 'tracker: The token is refused.']])
  assert.equal(await later(outage()), 'tracker: The token is refused.')
  assert.equal(await later(undefined), undefined)
})

test('once all was right, a later refusal is in the log and nowhere else', async () => {
  const { lines, fault, later } = start(undefined)
  assert.equal(await fault(), undefined)
  assert.equal(await later(refusal()), undefined)
  assert.deepEqual(lines, [[50, 'tracker: The token is refused.']])
  assert.equal(await later(undefined), undefined)
  assert.equal(await later(refusal()), undefined)
  assert.equal(lines.length, 2)
})

test('what is down is waited for; when it is up and refuses, that is told', async () => {
  const { lines, fault, later } = start(outage())
  assert.equal(await fault(), undefined)
  assert.equal(await later(outage()), undefined)
  assert.deepEqual(lines, [[40, 'tracker: Nobody answers.']])
  assert.equal(await later(refusal()), 'tracker: The token is refused.')
})

test('who asks does not wait for what does not answer', async () => {
  const check = () => new Promise<void>(() => {})
  const began = performance.now()
  const silent = createDependencyCheck({ name: 'tracker', check }, pino({ level: 'silent' }))
  assert.equal(await firstFault(silent, start(undefined).fault)(), undefined)
  assert.ok(performance.now() - began < 3000)
  assert.equal(await firstFault(silent, start(refusal()).fault)(), 'tracker: The token is refused.')
})

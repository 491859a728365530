import assert from 'node:assert/strict'
import { before, beforeEach, type TestContext, test } from 'node:test'

const LONG_MS = 61_000

/** Stands for the browser's window, with events whose target is an element. */
const target = new EventTarget()
const document = { hidden: false }
let withActivity: (request?: RequestInit) => RequestInit
before(async () => {
  Object.assign(globalThis, {
    window: target,
    document,
    addEventListener: target.addEventListener.bind(target),
  })
  ;({ withActivity } = await import('#web/service/user-activity.ts'))
})
beforeEach(() => {
  document.hidden = false
})

const isMarked = (method?: string): boolean =>
  new Headers(withActivity(method ? { method } : {}).headers).has('x-automatic-refresh')

/** An event of the window; of an element in it, if it has one. */
function act(type: string, element?: object): void {
  const event = new Event(type)
  if (element) Object.defineProperty(event, 'target', { value: element })
  target.dispatchEvent(event)
}

/** The user has left the page alone for longer than a minute. */
function leave({ mock }: TestContext): void {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + LONG_MS })
  act('keydown')
  mock.timers.tick(LONG_MS)
}

test('what the page reads a minute after the last input is marked, what it changes is not', (context) => {
  leave(context)
  for (const method of [undefined, 'GET', 'HEAD']) assert.equal(isMarked(method), true, method)
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) assert.equal(isMarked(method), false, method)
  assert.deepEqual(withActivity({ headers: { accept: 'text/csv' } }).headers, {
    accept: 'text/csv',
    'x-automatic-refresh': 'true',
  })
})

for (const input of ['pointerdown', 'pointermove', 'wheel', 'keydown', 'input', 'change', 'click'])
  test(`${input} is use, in whatever element`, (context) => {
    leave(context)
    act(input, {})
    assert.equal(isMarked(), false)
  })

test('the focus of the window is use, that of an element is not', (context) => {
  leave(context)
  act('focus', {})
  assert.equal(isMarked(), true)
  act('focus')
  assert.equal(isMarked(), false)
})

test('returning to the tab is use, leaving it is not', (context) => {
  leave(context)
  document.hidden = true
  act('visibilitychange', {})
  assert.equal(isMarked(), true)
  document.hidden = false
  act('visibilitychange', {})
  assert.equal(isMarked(), false)
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, type TestContext, test } from 'node:test'

const LONG_MS = 61_000

/** Stands in for the browser's window, with events whose target is an element. */
const target = new EventTarget()
const document = { hidden: false }
let withActivity: (request?: RequestInit) => RequestInit
const browser = { window: target, document, addEventListener: target.addEventListener.bind(target) }
const previous = Object.fromEntries(Object.keys(browser).map((name) => [name, Reflect.get(globalThis, name)]))
before(async () => {
  Object.assign(globalThis, browser)
  // Another test in this process may have loaded the module with a window of its own.
  const own = new URL('../src/api/user-activity.ts?own', import.meta.url)
  ;({ withActivity } = await import(own.href))
})
after(() => {
  for (const [name, value] of Object.entries(previous))
    if (value === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.assign(globalThis, { [name]: value })
})
beforeEach(() => {
  document.hidden = false
})

const isMarked = (): boolean => new Headers(withActivity().headers).has('x-automatic-refresh')

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

test('requests that the page sends a minute after the last input are marked', (context) => {
  assert.equal(isMarked(), false)
  leave(context)
  assert.equal(isMarked(), true)
  assert.deepEqual(withActivity({ headers: { accept: 'text/csv' } }).headers, {
    accept: 'text/csv',
    'x-automatic-refresh': 'true',
  })
})

for (const input of ['pointerdown', 'pointermove', 'wheel', 'keydown', 'input', 'change', 'click'])
  test(`${input} on any element counts as user activity`, (context) => {
    leave(context)
    act(input, {})
    assert.equal(isMarked(), false)
  })

test('focusing the window counts as user activity, focusing an element does not', (context) => {
  leave(context)
  act('focus', {})
  assert.equal(isMarked(), true)
  act('focus')
  assert.equal(isMarked(), false)
})

test('returning to the tab counts as user activity, leaving it does not', (context) => {
  leave(context)
  document.hidden = true
  act('visibilitychange', {})
  assert.equal(isMarked(), true)
  document.hidden = false
  act('visibilitychange', {})
  assert.equal(isMarked(), false)
})

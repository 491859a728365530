import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharingStatements } from './shared-statements.ts'

/** Writes that the test ends. */
function writes(refusal = (_items: string[]): Error | undefined => undefined) {
  const statements: { items: string[]; end(): void }[] = []
  const write = (items: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      const end = () => {
        const error = refusal(items)
        return error ? reject(error) : resolve(items.map((item) => `${item}!`))
      }
      statements.push({ items, end })
    })
  const endAll = async ({ until = Number.POSITIVE_INFINITY } = {}) => {
    for (let n = 0; n < Math.min(until, statements.length); n++) {
      statements[n]?.end()
      await settled()
    }
  }
  const shown = () => statements.map(({ items }) => items.join(' '))
  return { write, endAll, shown }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `${n}`)
/** What each call returns, or the message of its error. */
const outcomes = (calls: Promise<string>[]) =>
  Promise.all(calls.map((call) => call.catch((error) => error.message)))

test('writes start at once while few run, and later ones share the next statement', async () => {
  const { write, endAll, shown } = writes()
  const insert = sharingStatements(write, () => '')
  const calls = numbered(5).map(insert)
  assert.deepEqual(shown(), ['0', '1'])
  await endAll()
  assert.deepEqual(shown(), ['0', '1', '2 3 4'])
  assert.deepEqual(await Promise.all(calls), ['0!', '1!', '2!', '3!', '4!'])
  const later = insert('later')
  assert.deepEqual(shown().slice(3), ['later'])
  await endAll()
  assert.equal(await later, 'later!')
})

test('a second statement waits until it is as large as the first', async () => {
  const { write, endAll, shown } = writes()
  const insert = sharingStatements(write, () => '')
  const calls = numbered(5).map(insert)
  await endAll({ until: 2 })
  assert.deepEqual(shown(), ['0', '1', '2 3 4'])
  const later = ['5', '6'].map(insert)
  assert.deepEqual(shown(), ['0', '1', '2 3 4'])
  const last = insert('7')
  assert.deepEqual(shown(), ['0', '1', '2 3 4', '5 6 7'])
  await endAll()
  assert.equal((await Promise.all([...calls, ...later, last])).length, 8)
})

test('a statement writes 32 items at most, in order of arrival', async () => {
  const { write, endAll, shown } = writes()
  const calls = numbered(80).map(sharingStatements(write, () => ''))
  await endAll()
  assert.deepEqual(
    shown().map((items) => items.split(' ').length),
    [1, 1, 32, 32, 14],
  )
  assert.deepEqual(
    await Promise.all(calls),
    numbered(80).map((item) => `${item}!`),
  )
})

test('if a shared statement fails, its items are written one by one', async () => {
  const { write, endAll, shown } = writes((items) => (items.includes('3') ? new Error('refused') : undefined))
  const calls = outcomes(numbered(5).map(sharingStatements(write, () => '')))
  await endAll()
  assert.deepEqual(shown(), ['0', '1', '2 3 4', '2', '3', '4'])
  assert.deepEqual(await calls, ['0!', '1!', '2!', 'refused', '4!'])
})

test('an error that concerns every item rejects all of them, and the next writes run', async () => {
  let isDown = true
  const lost = Object.assign(new Error('lost'), { code: 'ECONNRESET' })
  const { write, endAll, shown } = writes(() => (isDown ? lost : undefined))
  const insert = sharingStatements(write, () => '')
  const calls = outcomes(numbered(5).map(insert))
  await endAll()
  assert.deepEqual(shown(), ['0', '1', '2 3 4'])
  assert.deepEqual(await calls, Array(5).fill('lost'))
  isDown = false
  const later = insert('later')
  await endAll()
  assert.equal(await later, 'later!')
})

test('no other statement starts while items are written one by one', async () => {
  const { write, endAll, shown } = writes((items) => (items.includes('3') ? new Error('refused') : undefined))
  const insert = sharingStatements(write, () => '')
  const calls = outcomes(numbered(5).map(insert))
  await endAll({ until: 3 })
  const later = numbered(2).map((n) => insert(`later${n}`))
  assert.deepEqual(shown(), ['0', '1', '2 3 4', '2'])
  await endAll()
  assert.deepEqual(shown(), ['0', '1', '2 3 4', '2', '3', '4', 'later0 later1'])
  assert.deepEqual(await calls, ['0!', '1!', '2!', 'refused', '4!'])
  assert.deepEqual(await Promise.all(later), ['later0!', 'later1!'])
})

test('a lock timeout is not repeated for each item', async () => {
  const stuck = Object.assign(new Error('locked'), { code: '55P03' })
  const { write, endAll, shown } = writes(() => stuck)
  const calls = outcomes(numbered(5).map(sharingStatements(write, () => '')))
  await endAll()
  assert.deepEqual(shown(), ['0', '1', '2 3 4'])
  assert.deepEqual(await calls, Array(5).fill('locked'))
})

test('who has waited ten seconds is told so', async (context) => {
  context.mock.timers.enable({ apis: ['Date'] })
  const { write, endAll, shown } = writes()
  const insert = sharingStatements(write, () => '')
  const calls = outcomes(numbered(3).map(insert))
  context.mock.timers.tick(6000)
  const later = insert('later')
  context.mock.timers.tick(6000)
  await endAll()
  assert.deepEqual(shown(), ['0', '1', 'later'])
  assert.match((await calls)[2] as string, /Nothing was changed/)
  assert.equal(await later, 'later!')
})

test('groups do not wait for each other', async () => {
  const { write, endAll, shown } = writes()
  const calls = ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'b3'].map(
    sharingStatements(write, ([group]) => group as string),
  )
  assert.deepEqual(shown(), ['a1', 'a2', 'b1', 'b2'])
  await endAll()
  assert.deepEqual(shown(), ['a1', 'a2', 'b1', 'b2', 'a3 a4', 'b3'])
  assert.equal((await Promise.all(calls)).length, 7)
})

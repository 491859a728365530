import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Unavailable } from '#src/platform/errors.ts'
import { type AccessChanges, AccessState } from './access-state.ts'

const ada = 'ada@example.com'

/** An access state over a database that can fail, with a clock that the test sets. */
function scripted() {
  const database = { isDown: false, changes: {} as Partial<AccessChanges>, readings: [] as unknown[] }
  const clock = { now: 0 }
  const read = async (since: string | undefined): Promise<AccessChanges> => {
    database.readings.push(since)
    if (database.isDown) throw new Error('The database is down.')
    const read_at = `reading ${database.readings.length}`
    return { read_at, users: [], keys: [], ended_sessions: [], erased: [], ...database.changes }
  }
  return { database, clock, access: new AccessState(read, () => clock.now) }
}

test('before the first reading no credential is accepted, and the next request tries again', async () => {
  const { database, access } = scripted()
  database.isDown = true
  await assert.rejects(async () => access.whenUsable(), Unavailable)
  database.isDown = false
  await access.whenUsable()
  assert.equal(access.whenUsable(), undefined)
})

test('while the database is down, the state counts for a minute and then no credential does', async () => {
  const { database, clock, access } = scripted()
  database.changes = { ended_sessions: [{ id: 'ses_1', expires: 9e9 }] }
  await access.refresh()
  database.isDown = true
  clock.now = 59_000
  await access.applyChange()
  assert.equal(access.whenUsable(), undefined)
  assert.equal(access.isEnded('ses_1'), true)
  clock.now = 61_000
  assert.throws(() => access.whenUsable(), Unavailable)
  database.isDown = false
  await access.refresh()
  assert.equal(access.whenUsable(), undefined)
})

test('readings ask for what changed since the last one, and for everything once a minute', async () => {
  const { database, clock, access } = scripted()
  database.changes = { users: [{ email: ada, role: 'admin', is_disabled: false }] }
  await access.refresh()
  database.changes = {}
  clock.now = 400
  await access.refresh()
  assert.deepEqual(database.readings, [undefined, 'reading 1'])
  assert.equal(access.userOf(ada).role, 'admin')
  clock.now = 60_000
  await access.refresh()
  assert.equal(database.readings.at(-1), undefined)
  assert.equal(access.userOf(ada).role, 'member')
})

test('a refresh during a reading waits for another reading, which concurrent calls share', async () => {
  const { database, access } = scripted()
  const first = access.refresh()
  await Promise.resolve()
  await Promise.all([first, access.refresh(), access.refresh()])
  assert.ok(database.readings.length <= 2, `${database.readings.length} readings`)
})

test('a session that this process ended stays ended before the database knows', async () => {
  const { clock, access } = scripted()
  await access.refresh()
  access.endSession({ id: 'ses_2', expires: Date.now() / 1000 + 3600 })
  clock.now = 60_000
  await access.refresh()
  assert.equal(access.isEnded('ses_2'), true)
})

test('an erased address is recognized by its salted hash, until a full reading no longer has it', async () => {
  const { database, clock, access } = scripted()
  await access.refresh()
  assert.equal(access.isErased(ada), false)
  const pseudonym = 'erased-0123456789abcdef@users.invalid'
  const address_hash = createHash('sha256').update(`${pseudonym} ${ada}`).digest('hex')
  database.changes = { erased: [{ pseudonym, address_hash }] }
  await access.refresh()
  assert.equal(access.isErased(ada), true)
  assert.equal(access.isErased('ben@example.com'), false)
  database.changes = {}
  await access.refresh()
  assert.equal(access.isErased(ada), true)
  clock.now = 61_000
  await access.refresh()
  assert.equal(access.isErased(ada), false)
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type CachingObjects, cachingObjects, MAX_AGE_MS } from './cache.ts'
import type { Objects } from './objects.ts'

const KEY = 'companies/cmp_1/profile.json'

/** An in-memory store that counts calls and can be made to fail or wait. */
class Store implements Objects {
  readonly content = new Map<string, Buffer>()
  opened = 0
  described = 0
  isDown = false
  gate: Promise<void> = Promise.resolve()

  async read(key: string) {
    return this.content.get(key) ?? null
  }
  async describe(key: string) {
    this.described += 1
    return this.#find(key)
  }
  async open(key: string) {
    this.opened += 1
    const found = this.#find(key)
    const bytes = this.content.get(key)
    await this.gate
    return found && { ...found, body: Readable.from([bytes]) }
  }
  async write(objects: Iterable<[string, string | Buffer]>) {
    for (const [key, content] of objects) this.content.set(key, Buffer.from(content))
  }
  async writeFile(key: string, file: string) {
    this.content.set(key, await readFile(file))
  }
  async *list() {
    yield* this.content.keys()
  }
  async delete(keys: Iterable<string>) {
    for (const key of keys) this.content.delete(key)
  }
  #find(key: string) {
    if (this.isDown) throw new Error('down')
    const bytes = this.content.get(key)
    return bytes
      ? { size: bytes.length, etag: `"${bytes.toString('hex', 0, 20)}"`, modified: new Date(0) }
      : null
  }
}

let time = 1e12
const open = (): { store: Store; objects: CachingObjects } => {
  const store = new Store()
  return { store, objects: cachingObjects(store, () => time) }
}
/** The cached body, without waiting. */
const bodyNow = (objects: CachingObjects): string | undefined => {
  const object = objects.cached(KEY)
  assert.ok(!(object instanceof Promise), 'a caller has to wait')
  return object?.body?.toString()
}
/** Lets background checks finish. */
const settled = () => new Promise(setImmediate)
const textOf = async (objects: CachingObjects, key = KEY) => (await objects.cached(key))?.body?.toString()

test('a thousand concurrent requests for one uncached object make one read', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  const found = await Promise.all(Array.from({ length: 1000 }, () => textOf(objects)))
  assert.deepEqual(new Set(found), new Set(['first']))
  assert.deepEqual([store.opened, store.described], [1, 0])
})

test('a copy in use is checked in the background every ten seconds', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  await textOf(objects)
  store.content.set(KEY, Buffer.from('second'))
  time += 9_999
  assert.equal(bodyNow(objects), 'first')
  assert.equal(store.described, 0)
  time += 1
  for (let n = 0; n < 1000; n++) assert.equal(bodyNow(objects), 'first')
  await settled()
  for (let n = 0; n < 1000; n++) assert.equal(bodyNow(objects), 'second')
  assert.deepEqual([store.opened, store.described], [2, 1])
  time += 10_000
  assert.equal(bodyNow(objects), 'second')
  await settled()
  assert.deepEqual([store.opened, store.described], [2, 2], 'an unchanged object is not read again')
})

test('a copy unused for twenty seconds is checked first', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  await textOf(objects)
  store.content.set(KEY, Buffer.from('second'))
  time += MAX_AGE_MS
  assert.deepEqual(await Promise.all([textOf(objects), textOf(objects)]), ['second', 'second'])
  assert.deepEqual([store.opened, store.described], [2, 1])
  store.content.delete(KEY)
  time += MAX_AGE_MS
  assert.equal(await objects.cached(KEY), null)
})

test('a slow store gets one check at a time', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  await textOf(objects)
  store.content.set(KEY, Buffer.from('second'))
  const { promise, resolve } = Promise.withResolvers<void>()
  store.gate = promise
  time += 10_000
  for (let n = 0; n < 9; n++, time += 1000) assert.equal(bodyNow(objects), 'first')
  resolve()
  await settled()
  assert.equal(await textOf(objects), 'second')
  assert.equal(store.described, 1)
})

test('a write evicts the copy, even during an older read', async () => {
  const { store, objects } = open()
  await objects.write([[KEY, 'first']])
  assert.equal(await textOf(objects), 'first')
  await objects.write([[KEY, 'second']])
  assert.equal(await textOf(objects), 'second')
  await objects.write([[KEY, 'third']])
  const { promise, resolve } = Promise.withResolvers<void>()
  store.gate = promise
  const older = textOf(objects)
  await objects.write([[KEY, 'fourth']])
  resolve()
  assert.equal(await older, 'third')
  assert.equal(await textOf(objects), 'fourth')
})

test('a background check does not restore an overwritten object', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  await textOf(objects)
  store.content.set(KEY, Buffer.from('second'))
  const { promise, resolve } = Promise.withResolvers<void>()
  store.gate = promise
  time += 10_000
  assert.equal(bodyNow(objects), 'first')
  await objects.write([[KEY, 'third']])
  resolve()
  await settled()
  assert.equal(await textOf(objects), 'third')
})

test('a missing object is checked again soon', async () => {
  const { store, objects } = open()
  assert.equal(await objects.cached(KEY), null)
  store.content.set(KEY, Buffer.from('first'))
  assert.equal(await objects.cached(KEY), null)
  time += 2000
  assert.equal(await textOf(objects), 'first')
})

test('while the store is down, a copy is served for a day and marked stale', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  await textOf(objects)
  store.isDown = true
  time += MAX_AGE_MS
  const stale = await objects.cached(KEY)
  assert.deepEqual([stale?.body?.toString(), stale?.isStale], ['first', true])
  time += 4999
  assert.equal(bodyNow(objects), 'first')
  await settled()
  assert.equal(store.described, 1, 'the store is not checked for five seconds')
  await assert.rejects(async () => objects.cached('companies/cmp_2/profile.json'), /down/)
  time += 1
  assert.equal(bodyNow(objects), 'first', 'callers do not wait for a store that just failed')
  await settled()
  assert.equal(store.described, 2)
  time += 24 * 3600 * 1000
  await assert.rejects(async () => objects.cached(KEY), /down/)
  store.isDown = false
  assert.equal((await objects.cached(KEY))?.isStale, false)
})

test('a copy in use is stale while the store is down, and recovers soon after', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  await textOf(objects)
  store.isDown = true
  for (let n = 0; n < 3600; n++, time += 1000) {
    assert.equal(bodyNow(objects), 'first')
    await settled()
  }
  assert.equal((await objects.cached(KEY))?.isStale, true)
  await settled()
  store.isDown = false
  store.content.set(KEY, Buffer.from('second'))
  time += 5000
  assert.equal(bodyNow(objects), 'first')
  await settled()
  const current = await objects.cached(KEY)
  assert.deepEqual([current?.body?.toString(), current?.isStale], ['second', false])
})

test('a copy in use expires after a day without the store', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  await textOf(objects)
  store.isDown = true
  const end = time + 24 * 3600 * 1000
  for (; time <= end; time += 5000) {
    await objects.cached(KEY)
    await settled()
  }
  await assert.rejects(async () => {
    await objects.cached(KEY)
    await settled()
    await objects.cached(KEY)
  }, /down/)
})

test('a cached copy does not wait for a hanging store', async () => {
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  await textOf(objects)
  store.describe = () => new Promise(() => {})
  time += MAX_AGE_MS
  assert.equal((await objects.cached(KEY))?.isStale, true)
})

test('without a copy, a hanging store times out after twenty seconds and is tried again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { store, objects } = open()
  store.content.set(KEY, Buffer.from('first'))
  const { open: answer } = store
  store.open = () => new Promise(() => {})
  const first = Promise.resolve(objects.cached(KEY))
  t.mock.timers.tick(20_000)
  await assert.rejects(first, /No answer within 20000 ms/)
  store.open = answer
  assert.equal(await textOf(objects), 'first')
})

test('only the cache holds a reference to a cached object', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const { store, objects } = open()
  const unlikeAnyOther = randomBytes(100_000)
  store.content.set(KEY, unlikeAnyOther)
  store.open = async () =>
    ({ ...(await store.describe(KEY)), body: Readable.from([Buffer.from(unlikeAnyOther)]) }) as never
  const held = await (async () => new WeakRef((await objects.cached(KEY))?.body as Buffer))()
  objects.forget(KEY)
  await new Promise(setImmediate)
  collectGarbage()
  assert.equal(held.deref(), undefined)
})

test('memory is bounded, and large objects are not cached', async () => {
  const { store, objects } = open()
  const some = randomBytes(100_000)
  for (let n = 0; n < 1000; n++) store.content.set(`k${n}`, some)
  for (let n = 0; n < 1000; n++) await objects.cached(`k${n}`)
  store.opened = 0
  for (let n = 0; n < 1000; n++) await objects.cached(`k${n}`)
  assert.ok(store.opened >= 300, 'a hundred megabytes do not fit into 64')
  store.content.set(KEY, randomBytes(1024 * 1024 + 1))
  const large = await objects.cached(KEY)
  assert.deepEqual([large?.body, large?.size], [undefined, 1024 * 1024 + 1])
  const opened = await objects.open(KEY)
  assert.equal(opened && (await buffer(opened.body)).length, 1024 * 1024 + 1)
})

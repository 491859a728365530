import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { eventually } from '#src/testing/eventually.ts'
import { FileWriter } from './file-writer.ts'

const root = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-writer-'))
after(() => rm(root, { recursive: true, force: true }))
const unfinished = path.join(root, 'unfinished')
mkdirSync(unfinished)

test('a write that meets the end of an idle thread is served by another', async () => {
  const writer = new FileWriter(unfinished, { idleMs: 1 })
  for (let n = 0; n < 8; n++) {
    const file = path.join(root, `idle-${n}`)
    await writer.write([[file, String(n)]])
    assert.equal(readFileSync(file, 'utf8'), String(n))
    await sleep(n % 3)
  }
})

test('a disk that does not answer fails the writes that wait for it', async () => {
  const writer = new FileWriter(unfinished, { writeMs: 0 })
  const write = (name: string) => writer.write([[path.join(root, name), 'text']])
  const writes = await Promise.allSettled([write('first'), write('second')])
  for (const write of writes)
    assert.match(
      String(write.status === 'rejected' && write.reason),
      /has not (written the files within|finished an earlier write)/,
    )
})

test('while a disk does not answer, writes fail without further threads', async (t) => {
  const threads: Worker[] = []
  const add = (thread: Worker) => void threads.push(thread)
  process.on('worker', add)
  t.after(() => process.off('worker', add))
  // A system call that hangs keeps its thread from ending.
  const terminate = t.mock.method(Worker.prototype, 'terminate', async () => 0)
  const writer = new FileWriter(unfinished, { writeMs: 1 })
  const file = path.join(root, 'answered')
  // Long enough for no thread to start and write within a millisecond.
  const write = () => writer.write([[file, 'x'.repeat(5_000_000)]])
  await assert.rejects(write(), /not written the files within/)
  for (let n = 0; n < 2; n++) await assert.rejects(write(), /not finished an earlier write/)
  assert.equal(threads.length, 1)
  terminate.mock.restore()
  await threads[0]?.terminate()
  await assert.rejects(write(), /not written the files within/)
  await eventually(() => assert.equal(threads.length, 2))
})

test('after a write that the thread cannot receive, the next one is served', async () => {
  const writer = new FileWriter(unfinished)
  const file = path.join(root, 'received')
  await assert.rejects(writer.write([[file, (() => {}) as never]]), { name: 'DataCloneError' })
  await writer.write([[file, 'text']])
  assert.equal(readFileSync(file, 'utf8'), 'text')
})

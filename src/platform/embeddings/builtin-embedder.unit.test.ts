import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { eventually } from '#src/testing/eventually.ts'
import { openBuiltinEmbedder } from './builtin-embedder.ts'
import type { Embedder } from './endpoint-embedder.ts'

const MODEL = { name: 'fake', dimensions: undefined }
const opened: Required<Embedder>[] = []
let warnings: string[] = []
beforeEach(() => {
  warnings = []
})
after(() => Promise.all(opened.map((embedder) => embedder.close())))

/** An embedder whose thread has no model. */
function open(options: { idleMs?: number; maxHeapMb?: number } = {}): Required<Embedder> {
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) })
  const module = new URL('./thread.fixture.ts', import.meta.url)
  const embedder = openBuiltinEmbedder(log, { module, ...options })
  opened.push(embedder)
  return embedder
}

const embed = (
  embedder: Embedder,
  texts: string[],
  more: { isUrgent?: boolean; stopped?: AbortSignal } = {},
) => embedder.embed(MODEL, texts, { length: undefined, milliseconds: 60_000, retries: 0, ...more })

test('texts are embedded in their order, and a text that fails does not stop the others', async () => {
  const found = await embed(open(), ['a', 'bad', 'abc'])
  assert.deepEqual(found, [{ vector: [1, 1] }, { reason: 'Not this text.' }, { vector: [3, 1] }])
})

test('a long text is cut before a surrogate pair', async () => {
  const [found] = await embed(open(), [`${'x'.repeat(329)}🚀 and more`])
  assert.deepEqual(found, { vector: [330, 1] })
})

test('a question does not wait for a batch', async () => {
  const embedder = open()
  const order: string[] = []
  const batch = embed(embedder, ['slow 1', 'slow 2', 'slow 3', 'slow 4']).then(() => order.push('batch'))
  const question = embed(embedder, ['question'], { isUrgent: true }).then(() => order.push('question'))
  await Promise.all([batch, question])
  assert.deepEqual(order, ['question', 'batch'])
})

for (const [text, reason] of [
  ['exit', /The embedding model stopped \(it exited\). It restarts automatically\.$/],
  ['memory', /The embedding model stopped \(.*memory.*\). It restarts automatically\.$/],
] as const)
  test(`a thread that stops (${text}) fails its texts, and starts again with one warning`, async () => {
    const embedder = open({ maxHeapMb: 24 })
    for (let n = 0; n < 2; n++) {
      const batch = embed(embedder, ['a', text, 'b'])
      await assert.rejects(batch, reason)
      await eventually(async () => assert.deepEqual(await embed(embedder, ['abc']), [{ vector: [3, 1] }]))
      assert.equal(warnings.length, n + 1)
      assert.match(warnings[n] ?? '', /^Searches are answered by words alone for now\./)
    }
  })

test('a model that cannot be loaded is reported once, and not tried again at once', async () => {
  const embedder = open()
  await assert.rejects(embed(embedder, ['fault']), /The package is missing\./)
  await assert.rejects(embed(embedder, ['abc']), /The package is missing\./)
  assert.deepEqual(warnings, ['Searches are answered by words alone for now. The package is missing.'])
})

test('the thread ends when it is idle, and starts again', async () => {
  const embedder = open({ idleMs: 1 })
  assert.deepEqual(await embed(embedder, ['abc', 'served']), [{ vector: [3, 1] }, { vector: [2, 1] }])
  await eventually(async () => assert.deepEqual(await embed(embedder, ['served']), [{ vector: [1, 1] }]))
  assert.deepEqual(warnings, [])
})

test('texts can be given up, in the thread and in the queue', async () => {
  const embedder = open()
  const stop = new AbortController()
  const input = embed(embedder, ['slow 1', 'slow 2'], { stopped: stop.signal })
  stop.abort(new Error('stopped'))
  await assert.rejects(input, /stopped/)
  assert.deepEqual(await embed(embedder, ['abc']), [{ vector: [3, 1] }])
  const silent = embedder.embed(MODEL, ['silence'], { length: undefined, milliseconds: 50, retries: 0 })
  await assert.rejects(silent, /did not answer in time/)
  await eventually(async () => assert.deepEqual(await embed(embedder, ['abc']), [{ vector: [3, 1] }]))
})

test('closing rejects what is left', async () => {
  const embedder = open()
  const left = embed(embedder, ['silence'])
  await Promise.all([assert.rejects(left, /The service is stopping/), embedder.close()])
  await assert.rejects(embed(embedder, ['abc']), /The service is stopping/)
})

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { BatchSize } from './batch-size.ts'

/** The sizes of batches whose records take this long each. */
async function sizesAt(msPerRecord: number, size: BatchSize, batches: number): Promise<number[]> {
  const sizes: number[] = []
  let now = 0
  const clock = mock.method(performance, 'now', () => now)
  for (let batch = 0; batch < batches; batch += 1) {
    sizes.push(size.records)
    await size.measure(
      async () => {
        now += size.records * msPerRecord
      },
      () => size.records,
    )
  }
  clock.mock.restore()
  return sizes
}

test('a batch takes about as long as others may wait', async () => {
  assert.deepEqual(await sizesAt(0.5, new BatchSize(1000, 100), 4), [50, 200, 200, 200])
  assert.deepEqual(await sizesAt(20, new BatchSize(1000, 100), 3), [50, 5, 5])
  assert.deepEqual(await sizesAt(300, new BatchSize(1000, 100), 3), [50, 1, 1])
})

test('a batch has at most as many records as it may', async () => {
  assert.deepEqual(await sizesAt(0, new BatchSize(1000, 100), 4), [50, 200, 800, 1000])
  assert.deepEqual(await sizesAt(0.1, new BatchSize(20, 100), 2), [20, 20])
})

test('where nobody waits, a batch is always as large as it may be', async () => {
  assert.deepEqual(await sizesAt(300, new BatchSize(1000, Number.POSITIVE_INFINITY), 3), [1000, 1000, 1000])
})

test('a batch that finds nothing says nothing about the next one, and a small one as much as it has', async () => {
  const size = new BatchSize(1000, 100)
  let now = 0
  const clock = mock.method(performance, 'now', () => now)
  const batch = async (records: number, ms: number) => {
    await size.measure(
      async () => {
        now += ms
      },
      () => records,
    )
    return size.records
  }
  assert.equal(await batch(0, 1), 50)
  assert.equal(await batch(5, 50), 10)
  clock.mock.restore()
})

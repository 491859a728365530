import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yieldToEventLoop } from './event-loop.ts'

test('others are served between the steps of long work', async () => {
  const order: string[] = []
  setImmediate(() => order.push('request'))
  for (let step = 1; step <= 5; step += 1) {
    work(15)
    await yieldToEventLoop()
    if (step === 5) order.push('end of the work')
  }
  assert.deepEqual(order, ['request', 'end of the work'])
})

test('several long works get equal shares', async () => {
  const steps = [0, 0]
  let isOver = false
  const run = async (worker: number) => {
    while (!isOver) {
      work(2)
      steps[worker] = (steps[worker] ?? 0) + 1
      await yieldToEventLoop()
    }
  }
  const workers = [run(0), run(1)]
  while (Math.max(...steps) < 50) await new Promise(setImmediate)
  isOver = true
  await Promise.all(workers)
  assert.ok(Math.min(...steps) > 20, String(steps))
})

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endLongTurn } from './event-loop.ts'

test('others are served between the steps of long work', async () => {
  const order: string[] = []
  setImmediate(() => order.push('request'))
  for (let step = 1; step <= 5; step += 1) {
    work(15)
    await endLongTurn()
    if (step === 5) order.push('end of the work')
  }
  assert.deepEqual(order, ['request', 'end of the work'])
})

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

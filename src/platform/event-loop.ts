import { setImmediate as nextTurn } from 'node:timers/promises'

const LONG_TURN_MS = 2

/** When the present stretch of long work began; `undefined`: there is none in this turn of the event loop. */
let startedAt: number | undefined

/**
 * Called between the steps of long work that does not wait, such as parsing. Lets the process serve others when such work
 * has taken 2 ms of a turn of the event loop. Each of those that wait for the next turn gets 2 ms of it.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (startedAt === undefined) return startStretch()
  if (performance.now() - startedAt <= LONG_TURN_MS) return
  await nextTurn()
  startStretch()
}

function startStretch(): void {
  startedAt = performance.now()
  setImmediate(() => {
    startedAt = undefined
  })
}

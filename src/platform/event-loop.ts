import { setImmediate as nextTurn } from 'node:timers/promises'

const LONG_TURN_MS = 10

/** When long work in the present turn of the event loop began; `undefined`: none has. */
let startedAt: number | undefined

/**
 * Called between the steps of long work that does not wait, such as parsing. Lets the process serve others when the turn
 * of the event loop has taken 10 ms, whoever used them.
 */
export async function endLongTurn(): Promise<void> {
  const now = performance.now()
  if (startedAt === undefined) {
    startedAt = now
    setImmediate(() => {
      startedAt = undefined
    })
  } else if (now - startedAt > LONG_TURN_MS) await nextTurn()
}

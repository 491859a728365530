import type { TestContext } from 'node:test'
import { createRandom, type Random } from '#src/cli/demo/random.ts'

/** Random numbers for a test, which logs their seed. `TEST_SEED` repeats them. */
export function loggedRandom(t: TestContext): Random {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1_000_000))
  t.diagnostic(`TEST_SEED=${seed}`)
  return createRandom(seed)
}

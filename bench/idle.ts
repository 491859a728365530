import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** PostgreSQL looks for tables to vacuum once per minute. */
const IDLE_SECONDS = 65
const MAX_SECONDS = 600
/** All cores together, in cores. */
const IDLE_CORES = 0.2

/**
 * Waits until background work that follows large changes is done: until the machine has been idle for more than a minute,
 * but at most ten minutes.
 */
export async function whenIdle(): Promise<void> {
  const deadline = performance.now() + MAX_SECONDS * 1000
  let idleSince = performance.now()
  while (performance.now() < deadline && performance.now() - idleSince < IDLE_SECONDS * 1000) {
    const before = busyMilliseconds()
    const start = performance.now()
    await sleep(1000)
    const cores = (busyMilliseconds() - before) / (performance.now() - start)
    if (cores > IDLE_CORES) idleSince = performance.now()
  }
}

const busyMilliseconds = () =>
  os.cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)

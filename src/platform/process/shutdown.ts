import type { Logger } from 'pino'

const SHUTDOWN_TIMEOUT_MS = 10_000

/** Runs `stop` on the first of these signals, then exits. Exits early after a timeout or on a second signal. */
export function once(
  signals: NodeJS.Signals[],
  log: Pick<Logger, 'error'>,
  stop: (signal: NodeJS.Signals) => Promise<void>,
  timeoutMs = SHUTDOWN_TIMEOUT_MS,
): void {
  let stopping = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(130)
    stopping = true
    setTimeout(() => {
      log.error(`${signal}: not everything finished within ${timeoutMs / 1000} seconds; ending the process`)
      // A system call that hangs, such as on a network disk, would keep the process from exiting.
      process.on('exit', () => process.kill(process.pid, 'SIGKILL'))
      process.exit(1)
    }, timeoutMs).unref()
    await stop(signal)
    process.exit(0)
  }
  for (const signal of signals) process.on(signal, onSignal)
}

const SHUTDOWN_TIMEOUT_MS = 10_000

/**
 * Runs `stop` at the first of these signals, and ends the process after it, or after 10 s, or at the second signal.
 */
export function once(signals: NodeJS.Signals[], stop: (signal: NodeJS.Signals) => Promise<void>): void {
  let stopping = false
  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(130)
    stopping = true
    setTimeout(() => {
      // A call that hangs in the system, such as one of a network disk, would keep the process from ending.
      process.on('exit', () => process.kill(process.pid, 'SIGKILL'))
      process.exit(1)
    }, SHUTDOWN_TIMEOUT_MS).unref()
    await stop(signal)
    process.exit(0)
  }
  for (const signal of signals) process.on(signal, onSignal)
}

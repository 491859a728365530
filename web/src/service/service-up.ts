const TIMEOUT_MS = 3000
const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 10_000

let waiting: Promise<void> | undefined

/** Resolves when the service answers, after two seconds at the earliest. Everything that waits shares the same requests. */
export function serviceIsUp(): Promise<void> {
  waiting ??= pollService().finally(() => {
    waiting = undefined
  })
  return waiting
}

async function pollService(): Promise<void> {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(MAX_DELAY_MS, delay * 1.5)) {
    await new Promise((resolve) => setTimeout(resolve, delay))
    if (await answers()) return
  }
}

const answers = (): Promise<boolean> =>
  fetch('/healthz', { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

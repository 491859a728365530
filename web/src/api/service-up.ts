const TIMEOUT_MS = 3000
const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 10_000

let pending: Promise<boolean> | undefined
let polling: Promise<void> | undefined

/** Resolves when the service answers: at once if it does now. Everything that waits shares the same requests. */
export async function waitForService(): Promise<void> {
  if (await checkService()) return
  polling ??= pollService().finally(() => {
    polling = undefined
  })
  await polling
}

/** The same, but waits at least two seconds: for requests that would otherwise fail in a loop. */
export async function waitForRecovery(): Promise<void> {
  await pause(FIRST_DELAY_MS)
  await waitForService()
}

async function pollService(): Promise<void> {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(MAX_DELAY_MS, delay * 1.5)) {
    await pause(delay)
    if (await checkService()) return
  }
}

function checkService(): Promise<boolean> {
  pending ??= fetchHealth().finally(() => {
    pending = undefined
  })
  return pending
}

const fetchHealth = (): Promise<boolean> =>
  fetch('/healthz', { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

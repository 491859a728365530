const TIMEOUT_MS = 3000
const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 10_000

let asking: Promise<boolean> | undefined
let polling: Promise<void> | undefined

/** Resolves when the service answers: at once if it does now. Everything that waits shares the same requests. */
export async function serviceIsUp(): Promise<void> {
  if (await answers()) return
  polling ??= pollService().finally(() => {
    polling = undefined
  })
  await polling
}

/** The same, but after at least two seconds, for requests that would otherwise fail in a loop. */
export async function serviceIsBack(): Promise<void> {
  await pause(FIRST_DELAY_MS)
  await serviceIsUp()
}

async function pollService(): Promise<void> {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(MAX_DELAY_MS, delay * 1.5)) {
    await pause(delay)
    if (await answers()) return
  }
}

function answers(): Promise<boolean> {
  asking ??= askService().finally(() => {
    asking = undefined
  })
  return asking
}

const askService = (): Promise<boolean> =>
  fetch('/healthz', { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

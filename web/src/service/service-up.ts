const TIMEOUT_MS = 3000

/** Whether the service answers. */
export const isServiceUp = (): Promise<boolean> =>
  fetch('/healthz', { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

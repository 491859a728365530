/** What is sent this long after the last input is sent by the page itself. */
const INPUT_MS = 60_000

const INPUTS = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'input', 'focus', 'visibilitychange']

let lastInput = Date.now()

for (const input of INPUTS)
  addEventListener(
    input,
    () => {
      if (!document.hidden) lastInput = Date.now()
    },
    { capture: true, passive: true },
  )

/** Marks a request that no one has caused, such as a refresh: it does not keep the session in use. */
export const withActivity = (request: RequestInit = {}): RequestInit =>
  Date.now() - lastInput < INPUT_MS
    ? request
    : { ...request, headers: { ...request.headers, 'x-automatic-refresh': 'true' } }

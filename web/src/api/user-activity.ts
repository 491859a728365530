/** The page, not the user, causes requests that are sent this long after the last input. */
const INPUT_MS = 60_000

/** Assistive technology clicks and fills fields in without a pointer or keys. */
const INPUTS = [
  'pointerdown',
  'pointermove',
  'wheel',
  'keydown',
  'input',
  'change',
  'click',
  'visibilitychange',
]

let lastInput = Date.now()

const recordInput = () => {
  if (!document.hidden) lastInput = Date.now()
}
for (const input of INPUTS) addEventListener(input, recordInput, { capture: true, passive: true })
// The page moves the focus between elements itself.
addEventListener('focus', (event) => event.target === window && recordInput(), { capture: true })

/**
 * Marks a request that the user has not caused, such as a refresh, so that it does not keep the session alive. The
 * service ignores the mark on requests that may write.
 */
export function withActivity(request: RequestInit = {}): RequestInit {
  return Date.now() - lastInput < INPUT_MS
    ? request
    : { ...request, headers: { ...request.headers, 'x-automatic-refresh': 'true' } }
}

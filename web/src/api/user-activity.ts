/** What is sent this long after the last input is sent by the page itself. */
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
 * Marks a request that no one has caused, such as a refresh: it does not keep the session alive. The service ignores the
 * mark of a request that may write.
 */
export function withActivity(request: RequestInit = {}): RequestInit {
  return Date.now() - lastInput < INPUT_MS
    ? request
    : { ...request, headers: { ...request.headers, 'x-automatic-refresh': 'true' } }
}

import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'

/** The service sends a heartbeat every 15 to 20 seconds. */
const HEARTBEAT_TIMEOUT_MS = 40_000

/**
 * Reads server-sent events until the stream ends, is silent for too long, or the signal aborts.
 * @param onEvent returns false to stop reading
 */
export async function readEventStream(
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  signal: AbortSignal,
  onEvent: (event: EventSourceMessage) => boolean,
): Promise<void> {
  const timeout = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const resetTimeout = () => {
    clearTimeout(timer)
    timer = setTimeout(() => timeout.abort(), HEARTBEAT_TIMEOUT_MS)
  }
  resetTimeout()
  try {
    const bytes = await open(AbortSignal.any([signal, timeout.signal]))
    const events = bytes
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream({ onComment: resetTimeout }))
      .getReader()
    for (;;) {
      const { done, value } = await events.read()
      if (done || signal.aborted) return
      resetTimeout()
      if (!onEvent(value)) return
    }
  } finally {
    clearTimeout(timer)
    timeout.abort()
  }
}

/** Waits, but no longer than until the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })

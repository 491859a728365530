import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type BulkAction, service } from '#web/service/service.ts'

/** The service sends a heartbeat every 15 seconds. */
const HEARTBEAT_TIMEOUT_MS = 40_000
const RECONNECT_DELAY_MS = 10_000

interface Listener {
  onChange: (action: BulkAction) => void
  onConnectionChange: (isConnected: boolean) => void
}

/** Follows an action by server-sent events until it ends or the signal aborts. Reconnects after a lost connection. */
export async function followBulkAction(id: string, signal: AbortSignal, listener: Listener): Promise<void> {
  while (!signal.aborted) {
    const hasEnded = await readEvents(id, signal, listener).catch(() => false)
    if (signal.aborted) return
    listener.onConnectionChange(false)
    if (hasEnded) return
    await sleep(RECONNECT_DELAY_MS, signal)
  }
}

/** @returns true if the action has ended, false if the connection was lost */
async function readEvents(id: string, signal: AbortSignal, listener: Listener): Promise<boolean> {
  const timeout = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const resetTimeout = () => {
    clearTimeout(timer)
    timer = setTimeout(() => timeout.abort(), HEARTBEAT_TIMEOUT_MS)
  }
  resetTimeout()
  try {
    const either = AbortSignal.any([signal, timeout.signal])
    const bytes = await service.getBulkActionEvents({ params: { id } }, { signal: either })
    const events = bytes
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream({ onComment: resetTimeout }))
      .getReader()
    for (;;) {
      const { done, value } = await events.read()
      if (done || signal.aborted) return false
      resetTimeout()
      listener.onConnectionChange(true)
      listener.onChange(JSON.parse(value.data) as BulkAction)
      if (value.event === 'end') return true
    }
  } finally {
    clearTimeout(timer)
    timeout.abort()
  }
}

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

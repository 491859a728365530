import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type BulkAction, service } from '#web/service/service.ts'

/** The service says something every fifteen seconds; a connection that is silent for longer is none. */
const HEARTBEAT_TIMEOUT_MS = 40_000
const RECONNECT_DELAY_MS = 10_000

interface Follower {
  changed: (action: BulkAction) => void
  connected: (isConnected: boolean) => void
}

/** Follows an action by server-sent events until it ends or the signal says so; connects again when it breaks off. */
export async function followBulkAction(id: string, left: AbortSignal, follower: Follower): Promise<void> {
  while (!left.aborted) {
    const hasEnded = await readEvents(id, left, follower).catch(() => false)
    if (left.aborted) return
    follower.connected(false)
    if (hasEnded) return
    await sleep(RECONNECT_DELAY_MS, left)
  }
}

/** @returns whether the action has ended; else the connection has */
async function readEvents(id: string, left: AbortSignal, follower: Follower): Promise<boolean> {
  const timeout = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const resetTimeout = () => {
    clearTimeout(timer)
    timer = setTimeout(() => timeout.abort(), HEARTBEAT_TIMEOUT_MS)
  }
  resetTimeout()
  try {
    const signal = AbortSignal.any([left, timeout.signal])
    const bytes = await service.getBulkActionEvents({ params: { id } }, { signal })
    const events = bytes
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream({ onComment: resetTimeout }))
      .getReader()
    for (;;) {
      const { done, value } = await events.read()
      if (done || left.aborted) return false
      resetTimeout()
      follower.connected(true)
      follower.changed(JSON.parse(value.data) as BulkAction)
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

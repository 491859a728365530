import { pause, readEventStream } from '#web/api/live/read-event-stream.ts'
import { type BulkAction, service } from '#web/api/service.ts'

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
    await pause(RECONNECT_DELAY_MS, signal)
  }
}

/** @returns true if the action has ended, false if the connection was lost */
async function readEvents(id: string, signal: AbortSignal, listener: Listener): Promise<boolean> {
  let hasEnded = false
  await readEventStream(
    (either) => service.getBulkActionEvents({ params: { id } }, { signal: either }),
    signal,
    ({ event, data }) => {
      listener.onConnectionChange(true)
      listener.onChange(JSON.parse(data) as BulkAction)
      hasEnded = event === 'end'
      return !hasEnded
    },
  )
  return hasEnded
}

import { useEffect } from 'react'
import type { ChangeEvent } from '#src/client/client.ts'
import { serviceWithoutRetries } from '../service.ts'
import { pause, readEventStream } from './read-event-stream.ts'
import { refreshAfterEvents, refreshLoadedBefore } from './refresh.ts'

const MIN_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000
/** A tab that is hidden for longer closes its stream: browsers open only six connections without HTTP/2. */
const HIDDEN_MS = 5000
/** A new stream begins with the changes of the last ten seconds. Responses that are older may be out of date. */
const COVERED_MS = 5000

/** Keeps what is on screen up to date with what others change. */
export function LiveUpdates() {
  useEffect(followChanges, [])
  return null
}

/**
 * Follows the changes that anyone makes, and refetches what they affect. The stream is closed while the tab is hidden, and
 * then resumes where it was. Returning to the tab without an open stream refetches what is on screen.
 * @returns a function that stops it
 */
function followChanges(): () => void {
  const stop = new AbortController()
  const tab = watchVisibility(stop.signal)
  let lastEventId: string | undefined
  let isConnected = false
  let delay = MIN_DELAY_MS
  const onEvent = ({
    id,
    event,
    data,
  }: {
    id?: string | undefined
    event?: string | undefined
    data: string
  }) => {
    isConnected = true
    if (lastEventId === undefined) refreshLoadedBefore(Date.now() - COVERED_MS)
    lastEventId = id ?? lastEventId
    if (event === 'reset') refreshLoadedBefore(Number.POSITIVE_INFINITY)
    else refreshAfterEvents(JSON.parse(data) as ChangeEvent[])
    return true
  }
  const open = (signal: AbortSignal) =>
    serviceWithoutRetries.getEvents(
      { headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId } },
      { signal },
    )
  const follow = async () => {
    while (!stop.signal.aborted) {
      await tab.untilVisible()
      const startedAt = Date.now()
      const isHidden = await tab.whileVisible((signal) => readEventStream(open, signal, onEvent))
      isConnected = false
      if (isHidden) continue
      // Each stream starts with an event, even behind a proxy that soon ends it. Only a stream that lasts resets the
      // delay.
      if (Date.now() - startedAt > MAX_DELAY_MS) delay = MIN_DELAY_MS
      await tab.untilShown((signal) => pause(delay * (0.75 + Math.random() / 2), signal))
      delay = Math.min(MAX_DELAY_MS, delay * 2)
    }
  }
  const onReturn = () => {
    // The stream may stay closed, for example because of the rate limit.
    if (!document.hidden && !isConnected) refreshLoadedBefore(Number.POSITIVE_INFINITY)
  }
  addEventListener('focus', onReturn, { signal: stop.signal })
  document.addEventListener('visibilitychange', onReturn, { signal: stop.signal })
  void follow()
  return () => stop.abort()
}

/** Runs functions until the tab is hidden or shown. */
function watchVisibility(stopped: AbortSignal) {
  /** Returns whether the tab became hidden (or shown) before `run` ended. Failures of `run` end it like success. */
  const until = async (isHidden: boolean, delay: number, run: (signal: AbortSignal) => Promise<void>) => {
    const [changed, ended] = [new AbortController(), new AbortController()]
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = () => {
      clearTimeout(timer)
      if (document.hidden === isHidden) timer = setTimeout(() => changed.abort(), delay)
    }
    document.addEventListener('visibilitychange', check, { signal: AbortSignal.any([stopped, ended.signal]) })
    await run(AbortSignal.any([stopped, changed.signal])).catch(() => {})
    ended.abort()
    clearTimeout(timer)
    return changed.signal.aborted
  }
  const untilShown = (run: (signal: AbortSignal) => Promise<void>) => until(false, 0, run)
  return {
    /** Ends `run` when the tab has been hidden for a while. */
    whileVisible: (run: (signal: AbortSignal) => Promise<void>) => until(true, HIDDEN_MS, run),
    /** Ends `run` when the tab is shown again. */
    untilShown,
    untilVisible: async () => {
      if (document.hidden) await untilShown((signal) => pause(2 ** 31 - 1, signal))
    },
  }
}

import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { createStore } from '#web/api/store.ts'

const media = matchMedia('print')
const page = createStore({ isPrinting: media.matches })

// The browser lays out what is to be printed as soon as the listener returns.
const setPrinting = (value: boolean) => flushSync(() => page.set({ isPrinting: value }))
media.addEventListener('change', () => setPrinting(media.matches))
// Not every browser reports the change of media before it prints.
addEventListener('beforeprint', () => setPrinting(true))
addEventListener('afterprint', () => setPrinting(media.matches))

export const isPrinting = (): boolean => page.get().isPrinting

/** Whether the page is being printed, so that a screen can add what belongs on paper. */
export const usePrinting = (): boolean => useSyncExternalStore(page.subscribe, isPrinting)

const SCHEME = 'data-mantine-color-scheme'

/** Prints dark on white, whatever the color scheme of the screen is. */
export function printInLight(): void {
  const root = document.documentElement
  let scheme: string | null = null
  page.subscribe(() => {
    if (isPrinting()) scheme = root.getAttribute(SCHEME)
    const next = isPrinting() ? 'light' : scheme
    if (next) root.setAttribute(SCHEME, next)
  })
}

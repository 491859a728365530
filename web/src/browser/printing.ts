import { useSyncExternalStore } from 'react'

const printing = matchMedia('print')

const subscribe = (listener: () => void) => {
  printing.addEventListener('change', listener)
  return () => printing.removeEventListener('change', listener)
}

/** Whether the page is being printed, so that a screen can add what belongs on paper. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => printing.matches)

const SCHEME = 'data-mantine-color-scheme'

/** Prints dark on white, whatever the color scheme of the screen is. */
export function printInLight(): void {
  const root = document.documentElement
  let scheme: string | null = null
  subscribe(() => {
    if (printing.matches) scheme = root.getAttribute(SCHEME)
    const next = printing.matches ? 'light' : scheme
    if (next) root.setAttribute(SCHEME, next)
  })
}

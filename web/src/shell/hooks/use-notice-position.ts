import { useEffect } from 'react'
import { type Area, freePosition } from '../free-position.ts'

const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role="button"], [role="checkbox"], [role="tab"], [role="option"]'
/** Tried in this order: a narrow notice fits where a wide one does not. */
const WIDTHS = [360, 280, 216]
const SETTLE_MS = 100

/**
 * Keeps notices where they cover no control, or as little of one as possible, while the screen below scrolls and
 * changes.
 * @param selector of the element that holds the notices
 */
export function useNoticePosition(selector: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const placeSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => place(selector), SETTLE_MS)
    }
    const placeNow = () => place(selector)
    const size = new ResizeObserver(placeNow)
    const notices = document.querySelector(selector)
    if (notices) size.observe(notices)
    const changes = new MutationObserver(placeSoon)
    changes.observe(document.body, { childList: true, subtree: true })
    addEventListener('resize', placeSoon)
    addEventListener('scroll', placeSoon, { capture: true, passive: true })
    placeNow()
    return () => {
      clearTimeout(timer)
      size.disconnect()
      changes.disconnect()
      removeEventListener('resize', placeSoon)
      removeEventListener('scroll', placeSoon, { capture: true })
    }
  }, [selector])
}

function place(selector: string): void {
  const notices = document.querySelector<HTMLElement>(selector)
  if (!notices || notices.offsetHeight === 0) return
  const screen = { width: document.documentElement.clientWidth, height: innerHeight }
  const controls = visibleControls(notices, screen)
  const positionAt = (width: number) => {
    notices.style.maxWidth = `${width}px`
    return freePosition(screen, { width: notices.offsetWidth, height: notices.offsetHeight }, controls)
  }
  let best: { width: number; right: number; bottom: number; covered: number } | undefined
  for (const width of WIDTHS) {
    const found = positionAt(width)
    if (best && found.covered >= best.covered) continue
    best = { width, ...found }
    if (best.covered === 0) break
  }
  if (!best) return
  notices.style.maxWidth = `${best.width}px`
  notices.style.right = `${best.right}px`
  notices.style.bottom = `${best.bottom}px`
}

function visibleControls(notices: HTMLElement, screen: { width: number; height: number }): Area[] {
  return [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !notices.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter(
      ({ left, top, right, bottom, width, height }) =>
        width > 0 && height > 0 && right > 0 && bottom > 0 && left < screen.width && top < screen.height,
    )
}

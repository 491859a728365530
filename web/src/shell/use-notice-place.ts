import { useEffect } from 'react'
import { type Area, freePlace } from './free-place.ts'

const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role="button"], [role="checkbox"], [role="tab"], [role="option"]'
/** Tried in this order: a narrow notice fits where a wide one does not. */
const WIDTHS = [360, 280, 216]
const SETTLE_MS = 100

/**
 * Keeps notices where they cover no control, as the screen scrolls and changes below them.
 * @param selector of the element that holds the notices
 */
export function useNoticePlace(selector: string): void {
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
  for (const width of WIDTHS) {
    notices.style.maxWidth = `${width}px`
    const { right, bottom, covers } = freePlace(
      screen,
      { width: notices.offsetWidth, height: notices.offsetHeight },
      controls,
    )
    notices.style.right = `${right}px`
    notices.style.bottom = `${bottom}px`
    if (!covers) return
  }
}

function visibleControls(notices: HTMLElement, screen: { width: number; height: number }): Area[] {
  return [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !notices.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter(
      ({ left, top, right, bottom, width }) =>
        width > 0 && right > 0 && bottom > 0 && left < screen.width && top < screen.height,
    )
}

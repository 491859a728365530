/// <reference lib="dom" />
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { assertFits } from './axe.ts'
import { transitionsEnded } from './browser.ts'

/** A laptop of 1280 × 800 pixels at 200 %, and a phone. */
const WINDOWS = [
  { width: 640, height: 400 },
  { width: 320, height: 640 },
]

const LOADING = { timeoutMs: 10_000, intervalMs: 200 }

/** Asserts that a page works at 200 % zoom and at 320 pixels: nothing scrolls sideways, and each control can be reached. */
export async function assertReflows(page: Page, name: string): Promise<void> {
  const own = page.viewportSize()
  for (const window of WINDOWS) {
    await page.setViewportSize(window)
    await transitionsEnded(page)
    // Narrow windows may load more.
    await eventually(() => assertFits(page, `${name}, ${window.width} pixels`), LOADING)
    await eventually(() => assertReachable(page, `${name}, ${window.width} pixels`), LOADING)
  }
  if (own) await page.setViewportSize(own)
}

/**
 * Asserts that each control of a page, or of the dialog or the menu over it, can be scrolled to where it is neither cut off
 * nor covered. Of a long table, only the first rows are tried.
 */
export async function assertReachable(page: Page, name: string): Promise<void> {
  assert.deepEqual(await page.evaluate(unreachable), [], name)
}

/** Runs in the page. */
function unreachable(): string[] {
  const CONTROLS =
    'a[href], button:not(:disabled), input:not([type=hidden], :disabled), select:not(:disabled), ' +
    'textarea:not(:disabled), [role=menuitem]:not(:disabled), [role=option], [tabindex="0"]'
  const IGNORED =
    '.skip-link, .notices *, tr:nth-child(n+4) *, article:nth-of-type(n+4) *, [aria-hidden=true] *'
  const LAYERS = '[role=dialog], [role=menu], [role=listbox]:not([role=dialog] *)'
  const layers = [...document.querySelectorAll(LAYERS)]
  const layer = layers.filter((one) => one.checkVisibility()).at(-1) ?? document.body

  const isScroller = (element: Element) =>
    /auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth
  const inScroller = (element: Element): boolean =>
    element !== document.documentElement &&
    (isScroller(element) || (element.parentElement !== null && inScroller(element.parentElement)))
  /** The element to click: for a hidden checkbox, its label. */
  const targetOf = (control: Element): Element => {
    const { width, height } = control.getBoundingClientRect()
    const isHidden = width <= 1 || height <= 1 || getComputedStyle(control).opacity === '0'
    return (isHidden && control instanceof HTMLInputElement && control.labels?.[0]) || control
  }
  const problemOf = (control: Element): string | undefined => {
    const target = targetOf(control)
    target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const [line] = target.getClientRects()
    if (!line || line.width <= 1 || line.height <= 1) return undefined
    const isCut = !inScroller(target) && (line.left < -1 || line.right > innerWidth + 1)
    if (isCut) return 'is cut off'
    const hit = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2)
    if (!hit) return 'is outside the window'
    const isHit = target.contains(hit) || hit.closest('label')?.control === control
    return isHit ? undefined : `is covered by ${hit.outerHTML.slice(0, 120)}`
  }
  return [...layer.querySelectorAll(CONTROLS)]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.matches(IGNORED))
    .flatMap((control) => {
      const problem = problemOf(control)
      return problem ? [`${control.outerHTML.slice(0, 160)} ${problem}`] : []
    })
}

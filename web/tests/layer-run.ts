/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Client } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import { assertLayerAccessible, goToScreen, layoutEnded, screenLoaded } from './axe.ts'
import { type OpenPage, openPage, skip, transitionsEnded } from './browser.ts'
import { type Demo, withDemo } from './demo.ts'
import { assertReflows } from './reachable.ts'

/** What an opener can use in addition to the page. */
export interface Stage {
  api: Client
  /** The ids of records by the names that addresses use. */
  ids: Record<string, string>
}

type Role = Parameters<Page['getByRole']>[0]
type Step = (page: Page, layer: Locator, stage: Stage) => Promise<unknown>

/** A dialog, a menu, a list of options, a panel, or a notice. */
export interface Layer {
  /** Its role and its name, or a text in it if it has no name. */
  shows: readonly [role: Role, name: string | RegExp | null, text?: string]
  open: Step
  /** Escape closes most. */
  close?: Step
  /** Cleans up the screen once the layer is closed. */
  tidy?: Step
  /** Only windows of this width have it. */
  width?: number
  /** Narrow windows do not have it, or close it because its button is elsewhere there. */
  isWideOnly?: boolean
  /** Opening or closing it leaves the screen in another state. */
  changesScreen?: boolean
  /** A request stays pending while the layer is open. */
  isPending?: boolean
}

/** Layers by name, by the address of their screen. */
export type Layers = Record<string, Record<string, Layer>>

interface LayerTests {
  layers: readonly Layers[]
  /** Creates records, and returns the ids that addresses name. */
  prepare: (demo: Demo) => Promise<Record<string, string>>
  /** Prepares a page. */
  setUp?: (page: Page) => Promise<unknown>
}

const WIDE = { width: 1280, height: 900 }
const CLOSING = { timeoutMs: 20_000 }
const FOCUSING = { timeoutMs: 10_000 }

/** Registers a test for each layer. They share a demo and a page, which goes from screen to screen without being loaded again. */
export function testLayers({ layers, prepare, setUp }: LayerTests): void {
  let ids: Record<string, string> = {}
  const demo = withDemo(async (started) => {
    ids = await prepare(started)
  })
  let opened: OpenPage | undefined
  let isUsable = false
  /** The address of the screen that the page shows as it was loaded. */
  let loaded: string | undefined

  async function usablePage(): Promise<OpenPage> {
    if (opened && isUsable) return opened
    await opened?.close()
    const fresh = await openPage({ viewport: WIDE, reducedMotion: 'reduce' })
    await setUp?.(fresh.page)
    return fresh
  }

  async function show(page: Page, at: string): Promise<void> {
    const address = addressOf(at, ids)
    const isElsewhere = pathOf(page.url()) !== pathOf(demo.url + address)
    if (isUsable && loaded === at) return
    if (isUsable && (loaded || isElsewhere)) return goToScreen(page, address)
    // Going to the same address would not load it again.
    await page.goto(`${demo.url}/healthz`)
    await page.goto(demo.url + address)
    await screenLoaded(page)
  }

  for (const [at, shown] of layers.flatMap((some) => Object.entries(some)))
    for (const [name, layer] of Object.entries(shown))
      test(`"${name}" is accessible, fits zoomed and narrow windows, light and dark, and closes`, {
        skip,
      }, async () => {
        opened = await usablePage()
        const { page, check } = opened
        await page.setViewportSize({ ...WIDE, width: layer.width ?? WIDE.width })
        await show(page, at)
        await dismissNotices(page)
        isUsable = false
        const address = page.url()
        await assertLayer(page, name, layer, { api: demo.api, ids })
        check()
        const isInitial =
          page.url() === address && (await page.locator('[role=dialog], [role=menu]').count()) === 0
        loaded = isInitial && !layer.changesScreen ? at : undefined
        isUsable = true
      })
}

/** Dismisses the previous layer's notices, which would stay for ten seconds above whatever is opened. */
async function dismissNotices(page: Page): Promise<void> {
  await page.locator('.mantine-Notification-closeButton').evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLElement).click()
  })
  await eventually(async () => assert.equal(await page.locator('.mantine-Notification-root').count(), 0))
}

/** Opens a layer, looks at it, and closes it. */
async function assertLayer(page: Page, name: string, layer: Layer, stage: Stage): Promise<void> {
  const { shows, open, close = pressEscape, tidy, isPending, isWideOnly, width } = layer
  const [role, named, text = ''] = shows
  const element =
    named === null
      ? page.getByRole(role).filter({ hasText: text })
      : page.getByRole(role, { name: named, exact: true })
  await open(page, element, stage)
  await element.waitFor()
  const hasFocus = await page.evaluate(hasFocusedElement)
  await (isPending ? transitionsEnded(page) : layoutEnded(page))
  await assertLayerAccessible(page, element, name)
  assert.ok(await element.isVisible(), `${name} has closed`)
  if (!isWideOnly && !width) {
    await assertReflows(page, name)
    // A menu or list is hidden while its button or field is scrolled out of view, until it is repositioned.
    await page.evaluate(() => document.activeElement?.scrollIntoView({ block: 'nearest' }))
    await eventually(
      async () => assert.ok(await element.isVisible(), `${name} has closed in narrow windows`),
      FOCUSING,
    )
  }
  await close(page, element, stage)
  await element.waitFor({ state: 'hidden' })
  // Otherwise, the keyboard would start at the top of the page.
  if (hasFocus)
    await eventually(
      async () => assert.ok(await page.evaluate(hasFocusedElement), `${name} has lost the focus`),
      FOCUSING,
    )
  await tidy?.(page, element, stage)
}

/** Runs in the page. */
function hasFocusedElement(): boolean {
  const { activeElement } = document
  return activeElement !== document.body && activeElement !== null && activeElement.checkVisibility()
}

/** Presses Escape until a layer is closed. */
async function pressEscape(page: Page, layer: Locator): Promise<void> {
  // A list of options that is open in it closes first.
  await eventually(async () => {
    await page.keyboard.press('Escape')
    await layer.waitFor({ state: 'hidden', timeout: 1500 })
  }, CLOSING)
}

/** Fills ids into an address. */
const addressOf = (address: string, ids: Record<string, string>): string =>
  address.replace(/\{(\w+)\}/g, (_match, name: string) => ids[name] ?? '')

const pathOf = (address: string): string => new URL(address).pathname

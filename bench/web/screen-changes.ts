/// <reference lib="dom" />
import type { Browser } from 'playwright-core'
import { median, newVisitor } from './visitor.ts'

const SCREENS = ['Companies', 'Pipeline', 'Theses', 'Activity', 'Home']
const VISITS = 3
const ROUNDS = 4
/** Time to look at a screen before the next click. */
const PAUSE_MS = 1500

export interface ScreenChange {
  screen: string
  /** Median milliseconds from the click to the painted screen, the first time in a visit and afterwards. */
  cold: number
  warm: number
}

/** Opens one screen after the other from the sidebar, in several visits. */
export async function changeScreens(browser: Browser, url: string): Promise<ScreenChange[]> {
  const times = SCREENS.map((screen) => ({ screen, cold: [] as number[], warm: [] as number[] }))
  for (let visit = 0; visit < VISITS; visit++) {
    const context = await newVisitor(browser)
    const page = await context.newPage()
    await page.goto(`${url}/settings`)
    await page.locator('main h1').waitFor()
    for (let round = 0; round < ROUNDS; round++)
      for (const { screen, cold, warm } of times) {
        await page.waitForTimeout(PAUSE_MS)
        const kind = round === 0 ? cold : warm
        kind.push(await page.evaluate(openScreen, screen))
      }
    await context.close()
  }
  return times.map(({ screen, cold, warm }) => ({ screen, cold: median(cold), warm: median(warm) }))
}

/** Runs in the page. */
function openScreen(name: string): Promise<number> {
  const links = [...document.querySelectorAll<HTMLElement>('nav a')]
  const link = links.find(({ innerText }) => innerText.trim() === name)
  if (!link) throw new Error(`The sidebar has no ${name}.`)
  const previous = document.querySelector('main h1')
  const began = performance.now()
  link.click()
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`${name} did not open.`)), 10_000)
    const look = () => {
      const title = document.querySelector('main h1')
      if (!title || title === previous) return void requestAnimationFrame(look)
      // The frame in which the title is there has been painted when the next task runs.
      setTimeout(() => resolve(performance.now() - began))
    }
    requestAnimationFrame(look)
  })
}

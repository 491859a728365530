import type { Browser } from 'playwright-core'
import { median, newVisitor, recordUsable, usableAfter } from './visitor.ts'

/** 1.6 Mbit/s and a round trip of 150 ms, as Lighthouse's phone. */
const CONNECTION = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const VISITS = 5

interface Visit {
  /** Selects what makes the screen usable. */
  isUsable: string
  /** Of the window, in pixels. */
  width: number
}

/** The median time, in milliseconds, from a visit with an empty cache to a usable screen. */
export async function slowVisit(browser: Browser, url: string, { isUsable, width }: Visit): Promise<number> {
  const times: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    const context = await newVisitor(browser)
    await recordUsable(context, isUsable)
    const page = await context.newPage()
    await page.setViewportSize({ width, height: 823 })
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', CONNECTION)
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator(isUsable).first().waitFor()
    times.push(await usableAfter(page))
    await context.close()
  }
  return median(times)
}

import type { Browser } from 'playwright-core'
import { companyOf } from '../companies.ts'
import { quantile } from '../quantile.ts'
import { newVisitor } from './visitor.ts'

const QUERIES = 40

/**
 * The 95th percentile of the milliseconds that the palette waits for records whose names contain what was typed, once for
 * each of many beginnings of names.
 */
export async function foundInPalette(browser: Browser, url: string): Promise<number> {
  const context = await newVisitor(browser)
  const page = await context.newPage()
  await page.goto(`${url}/home`)
  await page.locator('main h1').waitFor()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox')
  await box.waitFor()
  const times: number[] = []
  for (const beginning of beginnings()) {
    const answered = page.waitForResponse((response) => /\/api\/search\?/.test(response.url()))
    await box.fill(beginning)
    const response = await answered
    await response.finished()
    times.push(response.request().timing().responseEnd)
  }
  await context.close()
  return quantile(times, 0.95)
}

/** All different, because the app remembers what it has found. */
function beginnings(): Set<string> {
  const found = new Set<string>()
  for (let number = 0; found.size < QUERIES; number++)
    found.add(
      companyOf(number * 17)
        .name.slice(0, 3 + (number % 6))
        .trim(),
    )
  return found
}

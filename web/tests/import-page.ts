import type { Locator, Page } from 'playwright-core'
import { requestsEnded } from './browser.ts'

/** Opens the import screen, chooses a file, and waits until it has been read. */
export async function chooseFile(
  page: Page,
  url: string,
  name: string,
  content: string | Buffer,
): Promise<void> {
  await page.goto(`${url}/companies/import`)
  const buffer = Buffer.from(content)
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer })
  await page.getByText(name, { exact: true }).waitFor()
  await requestsEnded(page)
}

/** A list of the report. */
export const reportTab = (page: Page, name: string): Locator => page.getByRole('tab', { name })

/** The button that starts the import, once there is something to import. */
export const importButton = (page: Page): Locator => page.getByRole('button', { name: /^Import \d/ })

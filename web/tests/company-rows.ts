/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import type { Demo } from './demo.ts'

/** Waits until the row of a company has the focus. */
export const untilFocused = (page: Page, id: string | undefined) =>
  page.waitForFunction(
    (wanted) =>
      wanted !== undefined &&
      document.activeElement?.closest('tr, li')?.querySelector<HTMLElement>('a[data-record]')?.dataset
        .record === wanted,
    id,
  )

/** Waits until the page of a company is open and shows it. */
export async function untilOpen({ api }: Demo, page: Page, id: string | undefined): Promise<void> {
  const { name } = (await api.getCompany({ params: { id: id ?? '' } })).data.company
  await page.waitForURL(`**/companies/${id}`)
  await page.locator('main h1').getByText(name, { exact: true }).waitFor()
}

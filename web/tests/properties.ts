import type { Page } from 'playwright-core'

/** Opens the editor of a property that is empty, and so in the menu that adds one. */
export async function addProperty(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Add property' }).click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
}

/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core'
import { filterBy, press } from './open-layers.ts'

/** Opens something, then the list of options of a field in it. */
export const list =
  (field: string, ...open: ((page: Page, layer: Locator) => Promise<unknown>)[]) =>
  async (page: Page) => {
    const dialog = page.getByRole('dialog').first()
    for (const step of open) await step(page, dialog)
    const scope = open.length > 0 ? dialog : page
    await scope.getByRole('combobox', { name: field, exact: true }).click()
  }

/** Edits a field in place. */
export const edit = (field: string) => (page: Page) =>
  page.getByRole('button', { name: new RegExp(`^Edit ${field}: `) }).click()

/** Chooses a value of a filter, which leaves the list of the others open. */
export async function chooseValue(page: Page): Promise<void> {
  const filter = page.getByRole('dialog', { name: 'Filter' })
  await filterBy('Status')(page, filter)
  await filter.getByRole('combobox', { name: 'Value' }).click()
  await page.getByRole('option', { name: 'Active', exact: true }).click()
}

/** Types a tag. */
export async function typeTag(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Tags of / })
  await press('#')(page, dialog)
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('lo')
}

/** Searches with the command palette. */
export const searchPalette = (query: string) => async (page: Page, layer: Locator) => {
  await press('Control+k')(page, layer)
  await layer.getByRole('combobox').fill(query)
}

/** Goes back to the view of everything. */
export const showAll = (_page: Page, layer: Locator) => layer.getByRole('button').first().click()

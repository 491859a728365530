import type { Locator, Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'

/** A key pressed too early is lost. Some keys, pressed twice, would close the layer again. */
const OPENING_MS = 5000
const RETRYING = { timeoutMs: 60_000 }

/** Opens something with keys. The shortcut may become available only after the screen has loaded. */
export const press =
  (...keys: string[]) =>
  (page: Page, layer: Locator) =>
    eventually(async () => {
      for (const key of keys) await page.keyboard.press(key)
      await layer.waitFor({ timeout: OPENING_MS })
    }, RETRYING)

/** Clicks a button, then items of the menu that it opens. */
export const click =
  (button: string | RegExp, ...items: (string | RegExp)[]) =>
  async (page: Page) => {
    await page.getByRole('button', { name: button, exact: true }).first().click()
    for (const name of items) await page.getByRole('menuitem', { name, exact: true }).click()
  }

const bar = (page: Page) => page.getByRole('region', { name: /^Selected (?:companies|people)$/ })

/** Selects the companies or people of a page. The rows may still be loading. */
export const select = (page: Page) =>
  eventually(async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check({ timeout: OPENING_MS })
    await bar(page).waitFor({ timeout: OPENING_MS })
  }, RETRYING)

/** Selects companies or people, then clicks a button of the bar of the selection. */
export const clickSelected = (name: string) => async (page: Page) => {
  await select(page)
  await bar(page).getByRole('button', { name }).click()
}

/** Makes the service answer as if the session had ended. */
export const endSession = async (page: Page, layer: Locator) => {
  await page.route('**/api/auth/me', (route) =>
    route.fulfill({ status: 401, json: { error: 'Unauthorized', details: 'The session has ended.' } }),
  )
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await layer.waitFor()
  await page.unroute('**/api/auth/me')
}

/** Opens the filter builder and chooses a field. */
export const filterBy = (field: string) => async (page: Page, layer: Locator) => {
  await press('f')(page, layer)
  await layer.getByRole('combobox', { name: 'Field' }).fill(field)
  await page.getByRole('option', { name: field, exact: true }).click()
}

/** Changes a report, then cancels. */
export const discardReport = async (page: Page) => {
  await click('Edit')(page)
  await page.getByRole('textbox', { name: 'Title' }).fill('Another title')
  await click('Cancel')(page)
}

/** Creates an API key, which is then shown. */
export const createKey = async (page: Page) => {
  await click('New API key')(page)
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly export')
  await click('Create key')(page)
}

/** Chooses another role for a user, which asks first. */
export const changeRole = (page: Page) =>
  page.getByRole('combobox', { name: 'Role of ben@example.com' }).selectOption('Viewer')

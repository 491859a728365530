import type { Page } from 'playwright-core'
import type { Shown } from './shown.ts'

/** A dialog, a menu, or a panel. */
interface Layer {
  /** The address of its screen. */
  at: string
  open: (page: Page, shown: Shown) => Promise<unknown>
}

/** Opens something with a key. */
const press = (key: string) => (page: Page) => page.keyboard.press(key)

/** Opens something with a button, and what is in it with others. */
const click =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names)
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('menuitem', { name, exact: true }))
        .first()
        .click()
  }

const COMPANY = '/companies/{company}'

const select = async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('region', { name: 'Selected companies' }).waitFor()
}

const clickSelected = (name: string) => async (page: Page) => {
  await select(page)
  await page.getByRole('region', { name: 'Selected companies' }).getByRole('button', { name }).click()
}

/** Makes the service answer as if the session had ended. */
const endSession = async (page: Page) => {
  await page.route('**/api/auth/me', (route) =>
    route.fulfill({ status: 401, json: { error: 'Unauthorized', details: 'The session has ended.' } }),
  )
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  await page.unroute('**/api/auth/me')
}

/** What opens over a screen, by name. */
const LAYERS: Record<string, Layer> = {
  'account menu': { at: '/home', open: click(/^Your account/) },
  feedback: { at: '/home', open: click('Feedback') },
  'ended session': { at: '/home', open: endSession },
  'command palette': { at: '/companies', open: press('Control+k') },
  'keyboard help': { at: '/companies', open: press('?') },
  'new company': { at: '/companies', open: press('c') },
  'selection bar': { at: '/companies', open: select },
  'assign thesis to the selection': { at: '/companies', open: clickSelected('Assign thesis') },
  'change status of the selection': { at: '/companies', open: clickSelected('Change status') },
  'delete the selection': { at: '/companies', open: clickSelected('Delete') },
  'bulk action': { at: '/companies', open: clickSelected('Run AI') },
  'more actions of the list': { at: '/companies', open: click('More actions') },
  columns: { at: '/companies', open: click('Columns') },
  'column menu': { at: '/companies', open: click('Options for Company') },
  'view menu': { at: '/companies', open: click('Options for the view All companies') },
  'save view': { at: '/companies?sort=name', open: click('Save as view…') },
  status: { at: COMPANY, open: press('s') },
  thesis: { at: COMPANY, open: press('t') },
  owner: { at: COMPANY, open: press('o') },
  'new deal': { at: COMPANY, open: press('d') },
  'delete company': { at: COMPANY, open: press('Delete') },
  'AI menu': { at: COMPANY, open: click('Run AI') },
}

/** The names of the layers, and how they open. */
export const layers = Object.entries(LAYERS)

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { requestsEnded } from './browser.ts'

/** A dialog, a menu, or a panel. */
interface Layer {
  /** The address of its screen. */
  at: string
  /** Its role and its name. */
  shows: readonly ['dialog' | 'menu' | 'region', string | RegExp]
  open: (page: Page, layer: Locator) => Promise<unknown>
}

/** Opens something with a key. What offers the key may load after the screen. */
const press = (key: string) => (page: Page, layer: Locator) =>
  eventually(async () => {
    await page.keyboard.press(key)
    await requestsEnded(page)
    assert.ok(await layer.isVisible(), `The key ${key} does not open it.`)
  })

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

const LIST = '/companies'
const COMPANY = '/companies/{company}'
const ALL_COMPANIES = 'Options for the view All companies'

const select = async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('region', { name: 'Selected companies' }).waitFor()
}

const clickSelected = (name: string) => async (page: Page) => {
  await select(page)
  await page.getByRole('region', { name: 'Selected companies' }).getByRole('button', { name }).click()
}

/** Makes the service answer as if the session had ended. */
const endSession = async (page: Page, layer: Locator) => {
  await page.route('**/api/auth/me', (route) =>
    route.fulfill({ status: 401, json: { error: 'Unauthorized', details: 'The session has ended.' } }),
  )
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await layer.waitFor()
  await page.unroute('**/api/auth/me')
}

/** What opens over a screen, by name. */
const LAYERS: Record<string, Layer> = {
  'account menu': { at: '/home', shows: ['menu', /^Your account/], open: click(/^Your account/) },
  feedback: { at: '/home', shows: ['dialog', 'Feedback'], open: click('Feedback') },
  'ended session': { at: '/home', shows: ['dialog', 'Your session has ended'], open: endSession },
  'command palette': { at: LIST, shows: ['dialog', 'Command palette'], open: press('Control+k') },
  'keyboard help': { at: LIST, shows: ['dialog', 'Keyboard shortcuts'], open: press('?') },
  'new company': { at: LIST, shows: ['dialog', 'New company'], open: press('c') },
  'selection bar': { at: LIST, shows: ['region', 'Selected companies'], open: select },
  'assign thesis to the selection': {
    at: LIST,
    shows: ['dialog', /^Assign a thesis to \d+ companies$/],
    open: clickSelected('Assign thesis'),
  },
  'change status of the selection': {
    at: LIST,
    shows: ['dialog', /^Change the status of \d+ companies$/],
    open: clickSelected('Change status'),
  },
  'delete the selection': {
    at: LIST,
    shows: ['dialog', /^Delete \d+ companies\?$/],
    open: clickSelected('Delete'),
  },
  'bulk action': {
    at: LIST,
    shows: ['dialog', /^Run AI on \d+ companies$/],
    open: clickSelected('Run AI'),
  },
  'more actions of the list': { at: LIST, shows: ['menu', 'More actions'], open: click('More actions') },
  columns: { at: LIST, shows: ['dialog', 'Columns'], open: click('Columns') },
  'column menu': { at: LIST, shows: ['menu', 'Options for Company'], open: click('Options for Company') },
  'view menu': { at: LIST, shows: ['menu', ALL_COMPANIES], open: click(ALL_COMPANIES) },
  'save view': {
    at: `${LIST}?sort=name`,
    shows: ['dialog', 'Save as a new view'],
    open: click('Save as view…'),
  },
  status: { at: COMPANY, shows: ['dialog', /^Change status of /], open: press('s') },
  thesis: { at: COMPANY, shows: ['dialog', /^Assign thesis to /], open: press('t') },
  owner: { at: COMPANY, shows: ['dialog', /^Assign owner to /], open: press('o') },
  'new deal': { at: COMPANY, shows: ['dialog', 'New deal'], open: press('d') },
  'delete company': { at: COMPANY, shows: ['dialog', /^Delete .+\?$/], open: press('Delete') },
  'AI menu': { at: COMPANY, shows: ['menu', 'Run AI'], open: click('Run AI') },
}

/** The names of the layers, and how they open. */
export const layers = Object.entries(LAYERS)

import type { Page } from 'playwright-core'

/** The tab of a saved view. */
export const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Waits until the view has no unsaved changes. */
export const isSaved = (page: Page) =>
  page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })

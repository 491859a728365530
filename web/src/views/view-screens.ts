import type { ViewEntity } from './view-queries.ts'

/** The view in the address of all records: it opens no view, not even the default one. */
export const ALL = 'all'

/** Whether an address opens a saved view. */
export const isInView = ({ view }: { view?: string }): boolean => view !== undefined && view !== ALL

/** The screens that show views of each kind of records. */
export const VIEW_SCREENS = {
  company: '/companies',
  deal: '/pipeline',
  thesis: '/theses',
  person: '/people',
} as const satisfies Record<ViewEntity, string>

/** The kind of records whose views a screen shows. */
export const entityOf = (screen: string): ViewEntity | undefined =>
  (Object.keys(VIEW_SCREENS) as ViewEntity[]).find((entity) => VIEW_SCREENS[entity] === screen)

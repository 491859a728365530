import type { InboxFilter } from '#web/api/notification-queries.ts'

const SHOWN = ['unread', 'done'] as const satisfies InboxFilter[]

export interface InboxSearch {
  /** Without it, all that are not done. */
  show?: (typeof SHOWN)[number]
}

/** @param search the query of `/inbox`; invalid values are dropped */
export function inboxSearch({ show }: Record<string, unknown>): InboxSearch {
  const known = SHOWN.find((one) => one === show)
  return known ? { show: known } : {}
}

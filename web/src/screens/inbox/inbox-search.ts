import type { InboxFilter } from '#web/api/notification-queries.ts'

const SHOWN = ['unread', 'done'] as const satisfies InboxFilter[]

export interface InboxSearch {
  /** Without it, all that are not done. */
  show?: (typeof SHOWN)[number]
}

/** The query of `/inbox`, without invalid values. */
export function inboxSearch({ show }: Record<string, unknown>): InboxSearch {
  const known = SHOWN.find((one) => one === show)
  return known ? { show: known } : {}
}

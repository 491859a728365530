export interface ActivitySearch {
  entity_type?: 'company' | 'dealflow' | 'bulk_action' | 'thesis'
  entity_id?: string
  user_email?: string
  activity_type?: string
  /** Only what happened before this time. */
  until?: string
  /** Starts at 1. */
  page?: number
}

const ENTITY_TYPES = ['company', 'dealflow', 'bulk_action', 'thesis'] as const

/** The activity types that the service accepts. */
const ACTIVITY_TYPE = /^[a-z][a-z0-9_]{0,63}$/

/** As the service writes times. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export const EMAIL_PATTERN = /^[^\s@<>()",;:\\]+@[^\s@<>()",;:\\]+$/

/** @param search the query of `/activity` */
export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const entityType = ENTITY_TYPES.find((type) => type === search.entity_type)
  const page = Number(search.page)
  return {
    ...(entityType && { entity_type: entityType }),
    ...(search.entity_id ? { entity_id: String(search.entity_id) } : {}),
    ...(EMAIL_PATTERN.test(String(search.user_email)) && { user_email: String(search.user_email) }),
    ...(ACTIVITY_TYPE.test(String(search.activity_type ?? '')) && {
      activity_type: String(search.activity_type),
    }),
    ...(TIME.test(String(search.until)) && { until: String(search.until) }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  }
}

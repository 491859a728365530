export interface ActivitySearch {
  entity_type?: 'company' | 'dealflow' | 'bulk_action' | 'thesis' | 'person' | 'note' | 'task' | 'file'
  entity_id?: string
  user_email?: string
  activity_type?: string
  /** The ids of actions that are left out, separated by commas. */
  hidden_actions?: string
  /** Starts at 1. */
  page?: number
}

const ENTITY_TYPES = [
  'company',
  'dealflow',
  'bulk_action',
  'thesis',
  'person',
  'note',
  'task',
  'file',
] as const

/** The activity types that the service accepts. */
const ACTIVITY_TYPE = /^[a-z][a-z0-9_]{0,63}$/

const ACTIONS = /^ax_\w+(,ax_\w+)*$/

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
    ...(ACTIONS.test(String(search.hidden_actions)) && { hidden_actions: String(search.hidden_actions) }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  }
}

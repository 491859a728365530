import type { OwnRecord } from '#web/activity/activity-sentence.tsx'
import { LINK_PREFIX } from '#web/activity/sentence-slots.ts'
import type { Activity, TimelineEntry } from '#web/api/service.ts'

/** The kinds of entries that each choice of the filter shows. None: all. */
export const FILTERS = {
  all: [],
  notes: ['note', 'call', 'meeting', 'email'],
  decisions: ['decision'],
  tasks: ['task'],
  files: ['file'],
  deals: ['deal'],
  scores: ['score'],
  changes: ['change'],
} as const satisfies Record<string, readonly TimelineEntry['kind'][]>
export type TimelineFilter = keyof typeof FILTERS

/** The choices that make sense for each type of record. */
export const FILTERS_OF: Record<'company' | 'person' | 'deal', readonly TimelineFilter[]> = {
  company: ['all', 'notes', 'decisions', 'tasks', 'files', 'deals', 'scores', 'changes'],
  person: ['all', 'notes', 'tasks', 'files', 'changes'],
  deal: ['all', 'notes', 'decisions', 'tasks', 'files', 'deals'],
}

/**
 * An entry as the activity record of all its changes.
 * @param own the record of the page
 */
export function activityOf(entry: TimelineEntry, own: OwnRecord): Activity {
  const changes = entry.changes ?? null
  const { stage, llm_score_overall: score } = changes ?? {}
  const moved = typeOf(entry) === 'dealflow_moved_and_updated'
  const linked = Object.keys(changes ?? {}).find((field) => field.startsWith(LINK_PREFIX))
  return {
    id: entry.id,
    activity_type: typeOf(entry),
    entity_type: entry.entity_type,
    entity_id: entry.entity_id,
    entity_name: entry.entity_name,
    about: null,
    company_id: own.type === 'company' ? own.id : (linked?.slice(LINK_PREFIX.length) ?? null),
    company_name: null,
    user_email: entry.user_email,
    timestamp: entry.at,
    metadata: {
      ...(changes && { fields: Object.keys(changes).filter((field) => field !== 'stage' || !moved) }),
      ...(stage && { from: stage.from, to: stage.to, stage: stage.to }),
      ...(score && { score: score.to, previous_score: score.from }),
    },
    changes,
    action_id: entry.action_ids?.at(-1) ?? null,
    via: entry.via,
  }
}

/** Changes of several types are one update, or a move with an update. */
function typeOf({ activity_type, entity_type, changes }: TimelineEntry): string {
  const fields = Object.keys(changes ?? {})
  if (fields.length > 1 && entity_type === 'dealflow' && fields.includes('stage'))
    return 'dealflow_moved_and_updated'
  if (fields.length > 1 && /_(?:linked|link_updated|unlinked)$/.test(activity_type ?? ''))
    return `${entity_type}_updated`
  return activity_type ?? `${entity_type}_updated`
}

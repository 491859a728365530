import type { Activity, TimelineEntry } from '#web/api/service.ts'

/** The kinds of entries that each choice of the filter shows. None: all. */
export const FILTERS = {
  all: [],
  notes: ['note', 'call', 'meeting', 'email'],
  decisions: ['decision'],
  deals: ['deal'],
  scores: ['score'],
  changes: ['change'],
} as const satisfies Record<string, readonly TimelineEntry['kind'][]>
export type TimelineFilter = keyof typeof FILTERS

/** The choices that make sense for each type of record. */
export const FILTERS_OF: Record<'company' | 'person' | 'deal', readonly TimelineFilter[]> = {
  company: ['all', 'notes', 'decisions', 'deals', 'scores', 'changes'],
  person: ['all', 'notes', 'changes'],
  deal: ['all', 'notes', 'decisions', 'deals'],
}

/** An entry as the activity record of all its changes. */
export function activityOf(entry: TimelineEntry): Activity {
  const changes = entry.changes ?? null
  const { stage, llm_score_overall: score } = changes ?? {}
  return {
    id: entry.id,
    activity_type: entry.activity_type ?? `${entry.entity_type}_updated`,
    entity_type: entry.entity_type as Activity['entity_type'],
    entity_id: entry.entity_id,
    entity_name: entry.entity_name,
    company_id: entry.company_id ?? null,
    company_name: entry.company_name ?? null,
    user_email: entry.user_email,
    timestamp: entry.at,
    metadata: {
      ...(changes && { fields: Object.keys(changes) }),
      ...(stage && { from: stage.from, to: stage.to, stage: stage.to }),
      ...(score && { score: score.to, previous_score: score.from }),
      ...entry.metadata,
    },
    changes,
    action_id: entry.action_ids?.[0] ?? null,
    via: entry.via as Activity['via'],
  }
}

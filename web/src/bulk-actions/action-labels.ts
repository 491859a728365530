import { IconFileDescription, IconGauge, IconVectorTriangle } from '@tabler/icons-react'
import { strings } from '#strings/bulk-actions.ts'
import type { BulkAction } from '#web/api/service.ts'
import { formatWord } from '#web/format/format.ts'

export const ACTION_ICONS: Record<BulkAction['action_type'], typeof IconGauge> = {
  generate_embeddings: IconVectorTriangle,
  llm_score: IconGauge,
  enrich_profile: IconFileDescription,
}

/** The name of an action type, including types newer than this page. */
export const actionName = (type: string): string =>
  (strings.types as Record<string, string | undefined>)[type] ?? formatWord(type)

/** The number of companies that have neither succeeded nor failed yet. */
export const pendingCount = (action: BulkAction): number =>
  Math.max(0, action.total_companies - action.processed_companies - action.failed_companies)

/** @param priority 10 to 95 */
export const priorityName = (priority: number): string =>
  priority < 40 ? strings.background : priority > 70 ? strings.urgent : strings.normal

import { queries } from '#web/api/queries.ts'
import type { BulkAction } from '#web/api/service.ts'

export const isInProgress = ({ status }: Pick<BulkAction, 'status'>): boolean =>
  status === 'pending' || status === 'running'

export const PAGE_SIZE = 20

/** The user's latest bulk actions. `BulkActionWatch` keeps this query fresh while any of them is in progress. */
export const latestBulkActions = () => queries.bulkActions({ limit: PAGE_SIZE })

import { queries } from '#web/service/queries.ts'
import type { BulkAction } from '#web/service/service.ts'

/** Whether it may still move. */
export const isInProgress = ({ status }: Pick<BulkAction, 'status'>): boolean =>
  status === 'pending' || status === 'running'

/** How many of the latest are read at once. */
export const PAGE_SIZE = 20

/** The reader's latest, which `BulkActionWatch` reads again for as long as any is under way, whoever else shows them. */
export const latestBulkActions = () => queries.bulkActions({ limit: PAGE_SIZE })

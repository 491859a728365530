import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/service/queries.ts'

/** Whether the reader likes much on one screen. */
export const useIsCompact = (): boolean => useQuery(queries.me()).data?.preferences?.view_mode === 'compact'

import { queryOptions } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { taskQueries } from '#web/api/task-queries.ts'

/** The most rows of a panel. */
export const MAX_ROWS = 6
/** More than are shown, because several changes of a record are one row. */
const ACTIVITY_LIMIT = 100
const DAY_MS = 24 * 60 * 60_000
/** What has changed is shown for this long to someone who was never here. */
export const FIRST_DAYS = 7

/** Bulk actions and imports are one record each: those of each company would bury everything else. */
const CHANGES_OF_OTHERS = {
  and: [
    { field: 'user_email', op: 'ne', value: 'me' },
    {
      or: [
        { field: 'via', op: 'not_in', value: ['bulk_action', 'import'] },
        { field: 'entity_type', op: 'eq', value: 'bulk_action' },
        {
          field: 'activity_type',
          op: 'in',
          value: ['companies_imported', 'people_imported', 'notes_imported', 'deals_imported'],
        },
      ],
    },
  ],
}

/** Queries that only Home needs. */
export const homeQueries = {
  /** The user's tasks that are overdue or due today, due first. */
  tasks: () =>
    taskQueries.tasks({ assignee: ['me'], due: ['overdue', 'today'], done: false, limit: MAX_ROWS }),
  /** The user's active deals, those in late stages first, then those longest in their stage. */
  deals: () =>
    queries.deals({
      filter: JSON.stringify({
        and: [
          { field: 'owner_email', op: 'eq', value: 'me' },
          { field: 'status', op: 'eq', value: 'active' },
        ],
      }),
      sort: '-stage,stage_entered_at',
      limit: MAX_ROWS,
    }),
  pipeline: () =>
    queryOptions({
      queryKey: ['stats', 'pipeline'],
      queryFn: async ({ signal }) => (await service.getPipelineStats({}, { signal })).data,
    }),
  /**
   * What others have changed since a time.
   * @param since null: for some days
   */
  changes: (since: string | null) => {
    const first = new Date(Math.floor(Date.now() / DAY_MS - FIRST_DAYS) * DAY_MS).toISOString()
    return queries.activity({
      since: since ?? first,
      filter: JSON.stringify(CHANGES_OF_OTHERS),
      limit: ACTIVITY_LIMIT,
    })
  },
  /**
   * The number of matches of a thesis without a verdict. Not refreshed after changes of companies: each reading costs one
   * of the user's AI operations.
   */
  unreviewedMatches: (id: string) =>
    queryOptions({
      queryKey: ['unreviewed-matches', id],
      queryFn: async ({ signal }) => {
        const querystring = { verdict: 'none', exclude_in_pipeline: true, limit: 0 } as const
        const page = await service.listThesisMatches({ params: { id }, querystring }, { signal })
        return page.pagination.total
      },
      staleTime: 5 * 60_000,
      retry: false,
    }),
}

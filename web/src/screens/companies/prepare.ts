import { fieldQueries } from '#web/api/field-queries.ts'
import { waitForFirstAnswers } from '#web/api/first-answers.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { prefetchAll } from '#web/views/view-queries.ts'
import { pageQuery, pageSize } from './list-query.ts'

/** Waits for the data that an address without a query shows. */
export const prepare = async () => {
  if (location.search !== '') return
  await waitForFirstAnswers(({ preferences }) => {
    const limit = pageSize(preferences.view_mode === 'compact')
    // Not awaited: it only changes the label of a switch.
    queryClient.prefetchQuery(queries.searchStatus())
    return [
      queryClient.prefetchQuery(fieldQueries.fields('company')),
      queryClient.prefetchQuery(queries.theses()),
      prefetchAll('company', () => queryClient.prefetchQuery(pageQuery({}, 1, limit))),
    ]
  })
}

import { fieldQueries } from '#web/service/field-queries.ts'
import { waitForFirstAnswers } from '#web/service/first-answers.ts'
import { queries } from '#web/service/queries.ts'
import { queryClient } from '#web/service/query-client.ts'
import { prefetchAll } from '#web/views/view-queries.ts'
import { pageQuery, pageSize } from './list-query.ts'

/** Waits for what an address without a query shows. */
export const prepare = async () => {
  if (location.search !== '') return
  await waitForFirstAnswers(({ preferences }) => {
    const limit = pageSize(preferences.view_mode === 'compact')
    // Changes the label of a switch only.
    queryClient.prefetchQuery(queries.searchStatus())
    return [
      queryClient.prefetchQuery(fieldQueries.fields('company')),
      queryClient.prefetchQuery(queries.theses()),
      prefetchAll('company', () => queryClient.prefetchQuery(pageQuery({}, 1, limit))),
    ]
  })
}

import { useQueries, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { viewQueries } from '#web/views/view-queries.ts'
import { VIEW_SCREENS } from '#web/views/view-screens.ts'
import { MAX_ROWS } from '../home-queries.ts'
import { ListPanel, Row } from './list-panel.tsx'

/** Each view costs a request. */
const MAX_VIEWS = 12

/** Views with records that are new since the user last looked at them. */
export function ViewsPanel() {
  const companies = useQuery(viewQueries.views('company'))
  const deals = useQuery(viewQueries.views('deal'))
  const people = useQuery(viewQueries.views('person'))
  const views = [companies, deals, people].flatMap(({ data = [] }) => data).slice(0, MAX_VIEWS)
  const news = useQueries({
    queries: views.map(({ id }) => viewQueries.news(id, false)),
  })
  const withNews = views.flatMap((view, index) => {
    const { count = 0, isFirstLook = false } = news[index]?.data ?? {}
    return count > 0 && !isFirstLook ? [{ ...view, count }] : []
  })
  return (
    <ListPanel title={strings.newInViews} query={companies} rows={withNews.slice(0, MAX_ROWS)}>
      {({ id, entity, name, count }) => (
        <Row key={id} meta={strings.newRecords(count)}>
          <ScreenLink to={VIEW_SCREENS[entity]} search={{ view: id }} inherit dir="auto">
            {name}
          </ScreenLink>
        </Row>
      )}
    </ListPanel>
  )
}

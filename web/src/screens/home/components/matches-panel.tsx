import { useQueries, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { homeQueries } from '../home-queries.ts'
import { ListPanel, Row } from './list-panel.tsx'

/** Each thesis costs an AI operation. */
const MAX_THESES = 5

/** Active theses with matches that have no verdict, with the best of them. */
export function MatchesPanel() {
  const query = useQuery(queries.theses())
  const theses = (query.data?.data ?? []).filter(({ status }) => status === 'active').slice(0, MAX_THESES)
  const matches = useQueries({ queries: theses.map(({ id }) => homeQueries.bestMatch(id)) })
  const rows = theses.flatMap((thesis, index) => {
    const { data = [], pagination } = matches[index]?.data ?? {}
    const [best] = data
    return best && pagination ? [{ ...thesis, best: best.name, total: pagination.total }] : []
  })
  return (
    <ListPanel
      title={strings.matches}
      query={query}
      rows={rows}
      link={
        <ScreenLink to="/theses" size="sm">
          {strings.allTheses}
        </ScreenLink>
      }
    >
      {({ id, title, best, total }) => (
        <Row key={id} meta={strings.toReview(best, total - 1)}>
          <ScreenLink to="/theses/$id" params={{ id }} inherit dir="auto">
            {title}
          </ScreenLink>
        </Row>
      )}
    </ListPanel>
  )
}

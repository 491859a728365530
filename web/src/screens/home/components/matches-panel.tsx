import { useQueries, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { homeQueries } from '../home-queries.ts'
import { ListPanel, Row } from './list-panel.tsx'

/** Each thesis costs an AI operation. */
const MAX_THESES = 5

/** Active theses with matches that have no verdict. */
export function MatchesPanel() {
  const query = useQuery(queries.theses())
  const theses = (query.data?.data ?? []).filter(({ status }) => status === 'active').slice(0, MAX_THESES)
  const matches = useQueries({ queries: theses.map(({ id }) => homeQueries.unreviewedMatches(id)) })
  const rows = theses.flatMap((thesis, index) => {
    const total = matches[index]?.data ?? 0
    return total > 0 ? [{ ...thesis, total }] : []
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
      {({ id, title, total }) => (
        <Row key={id} meta={strings.companies(total)}>
          <ScreenLink to="/theses/$id" params={{ id }} inherit dir="auto">
            {title}
          </ScreenLink>
        </Row>
      )}
    </ListPanel>
  )
}

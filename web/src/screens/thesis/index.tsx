import { Skeleton } from '@mantine/core'
import { IconBulbOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/theses.ts'
import { isInTrash, TrashedRecord } from '#web/activity/trashed-record.tsx'
import { queries } from '#web/api/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { ThesisEditor } from './components/thesis-editor.tsx'
import { ThesisReader } from './components/thesis-reader.tsx'

const route = getRouteApi('/shell/theses/$id')

/** One thesis, shown or edited. */
export function ThesisScreen() {
  const { id } = route.useParams()
  const { tab = 'report', ...matches } = route.useSearch()
  const navigate = useNavigate()
  const thesis = useQuery(queries.thesis(id))
  const [edited, setEdited] = useState<string | null>(null)
  const isMissing = thesis.error instanceof NotFound
  if (!thesis.data || isMissing)
    return (
      <Page title={strings.title}>
        {isInTrash(thesis.error) ? (
          <TrashedRecord id={id} />
        ) : isMissing ? (
          <EmptyState
            icon={<IconBulbOff aria-hidden />}
            title={strings.notFoundTitle}
            action={<ScreenLink to="/theses">{strings.toTheses}</ScreenLink>}
          >
            {strings.notFound}
          </EmptyState>
        ) : thesis.isError ? (
          <ErrorState error={thesis.error} retry={() => thesis.refetch()} />
        ) : (
          <Skeleton height={480} maw="44rem" radius="md" />
        )}
      </Page>
    )
  return edited === id ? (
    <ThesisEditor key={id} thesis={thesis.data} close={() => setEdited(null)} />
  ) : (
    <ThesisReader
      key={id}
      thesis={thesis.data}
      edit={() => setEdited(id)}
      tab={tab}
      matches={matches}
      show={(shown) =>
        navigate({
          to: '/theses/$id',
          params: { id },
          search: shown === 'matches' ? { tab: shown } : {},
          replace: true,
        })
      }
    />
  )
}

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/theses.ts'
import { queries } from '#web/service/queries.ts'
import { NotFoundScreen } from '#web/shell/route-states.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { ThesisEditor } from './thesis-editor.tsx'
import { ThesisReader } from './thesis-reader.tsx'

const route = getRouteApi('/shell/theses/$id')

/** A thesis, to be read or edited. */
export function ThesisScreen() {
  const { id } = route.useParams()
  const thesis = useQuery(queries.thesis(id))
  const [edited, setEdited] = useState<string | null>(null)
  if (thesis.error instanceof NotFound) return <NotFoundScreen />
  if (!thesis.data)
    return (
      <Page title={strings.title}>
        {thesis.isError ? (
          <ErrorState error={thesis.error} retry={() => thesis.refetch()} />
        ) : (
          <Skeleton height={480} maw="44rem" radius="md" />
        )}
      </Page>
    )
  return edited === id ? (
    <ThesisEditor key={id} thesis={thesis.data} close={() => setEdited(null)} />
  ) : (
    <ThesisReader key={id} thesis={thesis.data} edit={() => setEdited(id)} />
  )
}

import { IconUserOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { NotFound } from '#src/client/errors.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/people.ts'
import { isInTrash, TrashedRecord } from '#web/activity/trashed-record.tsx'
import { queries } from '#web/api/queries.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { lastPeopleSearch } from '#web/screens/people/people-search.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { PersonPage } from './components/person-page.tsx'

const route = getRouteApi('/shell/people/$id')

/** One person. */
export function PersonScreen() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const person = useQuery(queries.person(id))
  const backToList = () => navigate({ to: '/people', search: lastPeopleSearch() })
  useActions([
    {
      id: 'back-to-list',
      label: keyboard.backToList,
      group: strings.group,
      keys: ['Escape'],
      run: backToList,
    },
  ])
  const isMissing = person.error instanceof NotFound
  const isTrashed = isInTrash(person.error)
  // A merged person redirects to the one that they are part of.
  if (person.data && person.data.id !== id)
    return <Navigate to="/people/$id" params={{ id: person.data.id }} state replace />
  if (person.data && !isMissing) return <PersonPage key={id} person={person.data} onDeleted={backToList} />
  return (
    <Page title={isMissing && !isTrashed ? strings.notFoundTitle : strings.title} heading={strings.title}>
      {person.isPending ? (
        <SkeletonLines lines={10} height={26} />
      ) : isTrashed ? (
        <TrashedRecord id={id} />
      ) : isMissing ? (
        <EmptyState
          icon={<IconUserOff aria-hidden />}
          title={strings.notFoundTitle}
          action={<ScreenLink to="/people">{strings.toPeople}</ScreenLink>}
        >
          {strings.notFound}
        </EmptyState>
      ) : (
        <ErrorState error={person.error} retry={() => person.refetch()} />
      )}
    </Page>
  )
}

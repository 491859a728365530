import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/people.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import type { Person } from '#web/api/service.ts'
import { personSummary } from '#web/fields/person-select.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { Picker } from '#web/ui/picker.tsx'

const MergePeople = lazy(() => import('#web/people/merge-people.tsx'))

const LIMIT = 10
const DEBOUNCE_MS = 150

/** Chooses the person that another one becomes part of, then compares the two. */
export function MergeInto({ person, close }: { person: Person; close: () => void }) {
  const navigate = useNavigate()
  const [query, search] = useState('')
  const [settled] = useDebouncedValue(query.trim(), DEBOUNCE_MS)
  const [survivor, choose] = useState<Person | null>(null)
  const found = useQuery(
    queries.people({ limit: LIMIT + 1, ...(settled && { search: settled.slice(0, 200) }) }),
  )
  const others = (found.data?.data ?? []).filter(({ id }) => id !== person.id).slice(0, LIMIT)
  if (survivor)
    return (
      <LazyDialog close={close}>
        <MergePeople
          people={[survivor, person].map((one) => ({ ...one, detail: personSummary(one) }))}
          merged={(id) => navigate({ to: '/people/$id', params: { id }, replace: true })}
          close={close}
        />
      </LazyDialog>
    )
  return (
    <Picker
      title={strings.mergeOneInto(person.name)}
      placeholder={strings.mergeOneInto(person.name)}
      groups={[
        {
          options: others.map((other) => ({
            value: other.id,
            label: other.name,
            detail: personSummary(other),
            icon: <Monogram name={other.name} isPerson />,
            isDisabled: found.isPlaceholderData || settled !== query.trim(),
          })),
        },
      ]}
      query={query}
      search={search}
      choose={(id) => choose(others.find((other) => other.id === id) ?? null)}
      close={close}
      nothing={
        found.isError ? errorMessage(found.error) : found.isFetching ? general.loading : general.noMatches
      }
    />
  )
}

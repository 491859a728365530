import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { strings } from '#strings/people.ts'
import { queries } from '#web/api/queries.ts'
import type { Person } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { personSummary } from '#web/fields/person-select.tsx'
import { formatList } from '#web/format/format.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'

const MergePeople = lazy(() => import('#web/people/merge-people.tsx'))

/** Other people who may be the same, with the reasons. Nothing if there are none. */
export function SamePeople({ person }: { person: Person }) {
  const { data: same = [] } = useQuery(queries.samePeople(person.id))
  const [merged, merge] = useState<Person | null>(null)
  const mayMerge = useCan('delete')
  const navigate = useNavigate()
  const close = () => merge(null)
  if (same.length === 0) return null
  return (
    <Alert color="yellow" title={strings.mayBeSame} className="print-hidden">
      <Stack gap={6}>
        {same.map(({ person: other, reasons }) => (
          <Group key={other.id} gap="xs" justify="space-between">
            <Text size="sm" className="break-anywhere">
              <ScreenLink
                to="/people/$id"
                params={{ id: other.id }}
                inherit
                c="inherit"
                underline="always"
                dir="auto"
              >
                {other.name}
              </ScreenLink>
              {' · '}
              {[personSummary(other), formatList(reasons.map((one) => strings.sameReasons[one]))]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            {mayMerge && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={strings.mergeWith(other.name)}
                onClick={() => merge(other)}
              >
                {strings.merge}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {merged && (
        <LazyDialog close={close}>
          <MergePeople
            people={[person, merged].map((one) => ({ ...one, detail: personSummary(one) }))}
            merged={(id) => navigate({ to: '/people/$id', params: { id }, replace: true })}
            close={close}
          />
        </LazyDialog>
      )}
    </Alert>
  )
}

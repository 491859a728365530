import { Group, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconHistoryOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/actions.ts'
import { Person } from '#web/activity/person.tsx'
import { queries } from '#web/api/queries.ts'
import type { Action } from '#web/api/service.ts'
import { formatMoment } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { ActionChanges } from './components/action-changes.tsx'
import { ActionState } from './components/action-state.tsx'
import { UndoButton } from './components/undo-button.tsx'

const route = getRouteApi('/shell/activity/actions/$id')
const POLL_MS = 2000

/** The changes of one request, import, bulk action, or undo, with a button that undoes them. */
export function ActionScreen() {
  const { id } = route.useParams()
  const action = useQuery({
    ...queries.action(id),
    refetchInterval: ({ state }) => (state.data?.outcome?.finished === false ? POLL_MS : false),
  })
  return (
    <Stack gap="xs">
      <ScreenLink to="/activity" size="sm" style={{ alignSelf: 'flex-start' }}>
        <Group gap={4} wrap="nowrap">
          <IconArrowLeft size={14} aria-hidden />
          {strings.allActivity}
        </Group>
      </ScreenLink>
      <Page
        title={action.data ? (strings.kinds[action.data.kind] ?? strings.action) : strings.action}
        description={action.data && <Facts action={action.data} />}
        actions={action.data && <UndoButton key={id} action={action.data} />}
      >
        {action.isPending && <SkeletonLines lines={8} height={26} />}
        {action.error instanceof NotFound && (
          <EmptyState icon={<IconHistoryOff aria-hidden />} title={strings.notFoundTitle}>
            {strings.notFound}
          </EmptyState>
        )}
        {action.isError && !action.data && !(action.error instanceof NotFound) && (
          <ErrorState error={action.error} retry={() => action.refetch()} />
        )}
        {action.data && (
          <Stack gap="lg" maw={1100}>
            <ActionState action={action.data} />
            <ActionChanges key={id} id={id} />
          </Stack>
        )}
      </Page>
    </Stack>
  )
}

function Facts({ action }: { action: Action }) {
  const { data: me } = useQuery(queries.me())
  return (
    <Text size="sm" component="span" className="break-anywhere">
      {strings.by} <Person email={action.user_email} me={me?.email} />
      {' · '}
      <time dateTime={action.created_at}>{formatMoment(action.created_at)}</time>
      {' · '}
      {strings.records(action.records)}
    </Text>
  )
}

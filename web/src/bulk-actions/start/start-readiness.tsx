import { Alert, Text } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { BUILTIN_MODEL } from '#src/client/client.ts'
import { strings } from '#strings/bulk-actions.ts'
import { service } from '#web/api/service.ts'
import type { ActionType } from './action-type-field.tsx'

const readiness = queryOptions({
  queryKey: ['bulk-action-readiness'],
  queryFn: async ({ signal }) => (await service.getBulkActionReadiness({}, { signal })).data,
})

/** Says, before an action is started, that it will have to wait and why, or that rules stand in for a language model. */
export function StartReadiness({ type }: { type: ActionType }) {
  const { data } = useQuery(readiness)
  const { model, waiting_for } = data?.[type] ?? {}
  if (waiting_for)
    return (
      <Alert
        color="orange"
        icon={<IconHourglass aria-hidden />}
        title={strings.willWait}
        role="status"
        className="break-anywhere"
      >
        <span dir="auto">{waiting_for}</span>
      </Alert>
    )
  if (model !== BUILTIN_MODEL) return null
  return (
    <Text size="sm" c="dimmed" role="status">
      {strings.byRules}
    </Text>
  )
}

import { Text } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import type { SearchStatus } from '#web/api/service.ts'

/** Says what ranks the results, and how much of its index is built. */
export function ActiveModel({ status }: { status: SearchStatus }) {
  if (status.embeddings === 'off') return null
  if (status.fault !== null)
    return (
      <Text size="xs" c="dimmed">
        {status.fault}
      </Text>
    )
  const [configured] = status.models
  const done = configured?.embedded ?? 0
  const waiting = configured?.waiting ?? 0
  return (
    <Text size="xs" c="dimmed">
      {status.is_semantic && status.answering
        ? strings.answeredBy(status.answering.replace(/, text \d+$/, ''))
        : strings.answeredByWords}{' '}
      {waiting > 0 && strings.indexed(done, done + waiting)} {configured?.fault}
    </Text>
  )
}

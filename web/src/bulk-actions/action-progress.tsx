import { Progress } from '@mantine/core'
import { strings } from '#strings/bulk-actions.ts'
import type { BulkAction } from '#web/api/service.ts'

interface ActionProgressProps {
  action: BulkAction
  size?: 'sm' | 'lg'
}

/** A progress bar with a succeeded and a failed part. */
export function ActionProgress({ action, size = 'sm' }: ActionProgressProps) {
  const { processed_companies, failed_companies, total_companies, status } = action
  const share = (count: number) => (total_companies > 0 ? (100 * count) / total_companies : 0)
  const label = strings.progress(processed_companies, failed_companies, total_companies)
  return (
    <Progress.Root size={size} transitionDuration={300} role="img" aria-label={label}>
      <Progress.Section
        value={share(processed_companies)}
        color={status === 'cancelled' ? 'gray' : 'teal'}
        withAria={false}
      />
      <Progress.Section value={share(failed_companies)} color="red" withAria={false} />
    </Progress.Root>
  )
}

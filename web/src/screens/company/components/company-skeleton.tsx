import { Group, Skeleton, Stack } from '@mantine/core'
import { strings } from '#strings/general.ts'
import classes from '#web/ui/record-layout.module.css'

export function CompanySkeleton() {
  return (
    <Stack gap="lg" aria-busy="true" aria-label={strings.loading} role="status" data-skeleton="company">
      <Group justify="space-between">
        <Stack gap="xs" style={{ flex: 1 }}>
          <Skeleton height={30} width="45%" />
          <Skeleton height={20} width="65%" />
        </Stack>
        <Skeleton height={36} width={240} visibleFrom="sm" />
      </Group>
      <div className={classes.columns}>
        <Stack gap="md">
          <Skeleton height={36} />
          <Skeleton height={340} />
          <Skeleton height={200} />
        </Stack>
        <Stack gap="md">
          <Skeleton height={140} />
          <Skeleton height={140} />
          <Skeleton height={320} />
        </Stack>
      </div>
    </Stack>
  )
}

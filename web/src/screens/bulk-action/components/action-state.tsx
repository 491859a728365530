import {
  Alert,
  Box,
  Group,
  Paper,
  RingProgress,
  SimpleGrid,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { strings } from '#strings/bulk-actions.ts'
import type { BulkAction } from '#web/api/service.ts'
import { pendingCount } from '#web/bulk-actions/action-labels.ts'
import { ActionProgress } from '#web/bulk-actions/action-progress.tsx'
import { elapsedMs, formatDuration, useNow } from '#web/bulk-actions/duration.ts'
import { isInProgress } from '#web/bulk-actions/latest-bulk-actions.ts'
import { formatNumber, formatPercent } from '#web/format/format.ts'
import { useRate } from '../hooks/use-rate.ts'
import { Stat } from './stat.tsx'

/** The progress and speed of a bulk action, and what it is waiting for. */
export function ActionState({ action }: { action: BulkAction }) {
  const inProgress = isInProgress(action)
  const now = useNow(inProgress)
  const pending = pendingCount(action)
  const percent = percentOf(action)
  return (
    <Stack gap="md">
      {inProgress && action.waiting_for && (
        <Alert
          color="orange"
          icon={<IconHourglass aria-hidden />}
          title={strings.waitingFor}
          role="status"
          className="break-anywhere"
        >
          <span dir="auto">{action.waiting_for}</span>
        </Alert>
      )}
      <Paper withBorder p="lg" component="section" aria-label={strings.progressTitle}>
        <Stack gap="lg">
          <Group gap="xl" align="center" wrap="nowrap">
            <Ring action={action} percent={percent} />
            <SimpleGrid
              cols={inProgress ? { base: 2, sm: 3, lg: 6 } : { base: 2, lg: 4 }}
              spacing="lg"
              style={{ flex: 1 }}
            >
              <Stat label={strings.processed} value={formatNumber(action.processed_companies)} />
              <Stat
                label={strings.failed}
                value={formatNumber(action.failed_companies)}
                isBad={action.failed_companies > 0}
              />
              <Stat label={strings.pending} value={formatNumber(pending)} />
              {inProgress ? (
                <ThroughputStats action={action} now={now} pending={pending} />
              ) : (
                <Stat label={strings.timeTaken} value={formatDuration(elapsedMs(action, now))} />
              )}
            </SimpleGrid>
          </Group>
          <Box hiddenFrom="xs">
            <ActionProgress action={action} size="lg" />
          </Box>
        </Stack>
      </Paper>
      <VisuallyHidden role="status">
        {inProgress && strings.percentDone(Math.floor(percent / 25) * 25)}
      </VisuallyHidden>
    </Stack>
  )
}

/** Rounded down, so that only a finished action shows 100. */
const percentOf = ({ processed_companies, failed_companies, total_companies }: BulkAction): number =>
  total_companies === 0 ? 100 : Math.floor((100 * (processed_companies + failed_companies)) / total_companies)

function Ring({ action, percent }: { action: BulkAction; percent: number }) {
  const share = (count: number) => (action.total_companies > 0 ? (100 * count) / action.total_companies : 0)
  return (
    <RingProgress
      size={116}
      thickness={10}
      visibleFrom="xs"
      role="img"
      aria-label={strings.percentDone(percent)}
      sections={[
        { value: share(action.processed_companies), color: action.status === 'cancelled' ? 'gray' : 'teal' },
        { value: share(action.failed_companies), color: 'red' },
      ].filter(({ value }) => value > 0)}
      label={
        <Text ta="center" fw={650} size="lg" aria-hidden>
          {formatPercent(percent / 100)}
        </Text>
      }
    />
  )
}

interface ThroughputProps {
  action: BulkAction
  now: number
  pending: number
}

function ThroughputStats({ action, now, pending }: ThroughputProps) {
  const rate = useRate(action, now)
  const timeLeft = (): string => {
    if (action.waiting_for) return strings.isWaiting
    if (rate === null) return strings.unknown
    const minutes = pending / rate
    return minutes < 1 ? strings.lessThanAMinute : formatDuration(Math.ceil(minutes) * 60_000)
  }
  return (
    <>
      <Stat
        label={strings.perMinute}
        value={rate === null ? strings.unknown : formatNumber(Math.round(rate))}
      />
      <Stat label={strings.timeLeft} value={timeLeft()} />
      <Stat label={strings.elapsed} value={formatDuration(elapsedMs(action, now))} />
    </>
  )
}

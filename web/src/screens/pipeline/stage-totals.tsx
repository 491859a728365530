import { Group, Text, Tooltip } from '@mantine/core'
import { STUCK_DAYS } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import { formatCompactEuros, formatEuros } from '#web/words/format.ts'
import classes from './board.module.css'
import type { BoardStage } from './deal-cache.ts'

const oneDecimal = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 1 })

/** The sums of a stage, below its label. */
export function ColumnSums({ column }: { column: BoardStage }) {
  const { amount_eur, weighted_eur, expected, stuck, outcome } = column
  return (
    <div className={classes.sums}>
      <Tooltip label={strings.sumHelp(formatEuros(amount_eur))} openDelay={400}>
        <Text span size="xs" fw={600}>
          {formatCompactEuros(amount_eur)}
        </Text>
      </Tooltip>
      {outcome === null && (
        <Tooltip
          label={strings.weightedHelp(formatEuros(weighted_eur), oneDecimal(expected))}
          multiline
          w={260}
          openDelay={400}
        >
          <Text span size="xs" c="dimmed">
            {strings.weighted(formatCompactEuros(weighted_eur))}
          </Text>
        </Tooltip>
      )}
      {stuck > 0 && (
        <Tooltip label={strings.stuckHelp(STUCK_DAYS)} multiline w={260} openDelay={400}>
          <Text span size="xs" className={classes.stuck}>
            {strings.stuckCount(stuck)}
          </Text>
        </Tooltip>
      )}
    </div>
  )
}

/** The totals of all stages on screen, in one line. */
export function PipelineTotals({ columns }: { columns: readonly BoardStage[] }) {
  const sum = (field: 'deals' | 'amount_eur' | 'weighted_eur' | 'expected') =>
    columns.reduce((total, column) => total + column[field], 0)
  return (
    <Group gap="xs" component="p" m={0} fz="sm" c="dimmed">
      <span>{strings.deals(sum('deals'))}</span>
      <span title={formatEuros(sum('amount_eur'))}>{formatCompactEuros(sum('amount_eur'))}</span>
      <span title={formatEuros(sum('weighted_eur'))}>
        {strings.weighted(formatCompactEuros(sum('weighted_eur')))}
      </span>
      <Tooltip label={strings.expectedHelp} multiline w={280} openDelay={400}>
        <span>{strings.expected(oneDecimal(sum('expected')))}</span>
      </Tooltip>
    </Group>
  )
}

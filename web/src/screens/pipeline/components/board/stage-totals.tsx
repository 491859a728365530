import { Group, Text } from '@mantine/core'
import { STUCK_DAYS } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import { formatCompactEuros, formatEuros } from '#web/format/format.ts'
import type { BoardStage } from '../../deal-cache.ts'
import classes from './board.module.css'

const oneDecimal = (value: number) => value.toLocaleString(undefined, { maximumFractionDigits: 1 })

/** The sums of a stage, below its label. */
export function ColumnSums({ column }: { column: BoardStage }) {
  const { amount_eur, weighted_eur, expected, stuck, outcome } = column
  return (
    <div className={classes.sums}>
      <Text span size="xs" fw={600} title={strings.sumHelp(formatEuros(amount_eur))}>
        {formatCompactEuros(amount_eur)}
      </Text>
      {outcome === null && (
        <Text
          span
          size="xs"
          c="dimmed"
          title={strings.weightedHelp(formatEuros(weighted_eur), oneDecimal(expected))}
        >
          {strings.weighted(formatCompactEuros(weighted_eur))}
        </Text>
      )}
      {stuck > 0 && (
        <Text span size="xs" className={classes.stuck} title={strings.stuckHelp(STUCK_DAYS)}>
          {strings.stuckCount(stuck)}
        </Text>
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
      <span title={strings.expectedHelp}>{strings.expected(oneDecimal(sum('expected')))}</span>
    </Group>
  )
}

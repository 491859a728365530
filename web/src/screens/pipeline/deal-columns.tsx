import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { strings } from '#strings/pipeline.ts'
import { personName } from '#web/fields/people.ts'
import type { Deal } from '#web/service/service.ts'
import { Age } from '#web/ui/age.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import { formatDay, formatEuros } from '#web/words/format.ts'
import { DaysInStage } from './deal-card.tsx'
import { Probability, StatusBadge } from './deal-values.tsx'
import type { Stage } from './deals.ts'
import classes from './deals-table.module.css'

interface ListColumn {
  /** What the service sorts by. */
  field: string
  label: string
  width: string
  /** Whether the first click sorts in descending order. */
  isDescending?: boolean
  isNumber?: boolean
  cell: (deal: Deal, outcome: Stage['outcome']) => ReactNode
}

/** The columns of the list after the company and the stage. */
export const COLUMNS: readonly ListColumn[] = [
  {
    field: 'owner_email',
    label: strings.owner,
    width: '9rem',
    cell: ({ owner_email }) =>
      owner_email && (
        <span className={classes.person} title={owner_email}>
          <Monogram name={personName(owner_email)} size={18} isPerson />
          <Text span inherit truncate dir="auto">
            {personName(owner_email)}
          </Text>
        </span>
      ),
  },
  {
    field: 'amount_eur',
    label: strings.amount,
    width: '7.5rem',
    isDescending: true,
    isNumber: true,
    cell: ({ amount_eur }) => amount_eur !== null && formatEuros(amount_eur),
  },
  {
    field: 'probability',
    label: strings.probability,
    width: '8.5rem',
    isDescending: true,
    cell: ({ probability }) => <Probability probability={probability} />,
  },
  {
    field: 'company_llm_score_overall',
    label: strings.score,
    width: '5.5rem',
    isDescending: true,
    cell: ({ company_llm_score_overall }) => <ScoreBadge score={company_llm_score_overall} />,
  },
  {
    field: 'company_industry_category',
    label: strings.industry,
    width: '10rem',
    cell: ({ company_industry_category }) => (
      <Text span inherit truncate dir="auto" display="block">
        {company_industry_category}
      </Text>
    ),
  },
  {
    // The longest in a stage is the earliest to have entered it.
    field: 'stage_entered_at',
    label: strings.inStage,
    width: '7rem',
    cell: (deal, outcome) => <DaysInStage deal={deal} outcome={outcome} />,
  },
  {
    field: 'expected_close_on',
    label: strings.expectedClose,
    width: '8.5rem',
    cell: ({ expected_close_on }) =>
      expected_close_on && (
        <time dateTime={expected_close_on}>{formatDay(`${expected_close_on}T12:00:00`)}</time>
      ),
  },
  {
    field: 'status',
    label: strings.status,
    width: '6.5rem',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    field: 'updated_at',
    label: strings.updated,
    width: '8rem',
    isDescending: true,
    cell: ({ updated_at }) => (
      <Age timestamp={updated_at} size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} />
    ),
  },
]

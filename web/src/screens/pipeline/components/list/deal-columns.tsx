import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { strings as fields } from '#strings/fields.ts'
import { strings } from '#strings/pipeline.ts'
import { strings as tasks } from '#strings/tasks.ts'
import type { Deal } from '#web/api/service.ts'
import { age, amount, day, userText } from '#web/columns/cells.tsx'
import type { BuiltInColumn } from '#web/columns/columns-by-field.ts'
import { personName } from '#web/fields/people.ts'
import { sourceName } from '#web/fields/source-field.tsx'
import { formatCompactEuros, formatDate, formatNumber } from '#web/format/format.ts'
import { NextStepText } from '#web/tasks/next-step-text.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import type { Stage } from '../../deals.ts'
import { DaysInStage } from '../board/deal-card.tsx'
import { Probability, StatusBadge } from '../deal/deal-values.tsx'
import classes from './deals-table.module.css'

/** Renders a field of a deal; nothing if it has no value. */
export type DealCell = (deal: Deal, stage: Pick<Stage, 'label' | 'outcome'>) => ReactNode

/** The first column. */
export const COMPANY_NAME = 'company_name'

const number = { isNumber: true, isDescendingFirst: true }

/** How the list shows the fields that every deal has. */
export const BUILT_IN_COLUMNS: Record<string, BuiltInColumn<DealCell>> = {
  [COMPANY_NAME]: { label: strings.company, width: 180, cell: ({ company_name }) => userText(company_name) },
  stage: { label: strings.stage, width: 108, maxWidth: 180, cell: (_deal, { label }) => userText(label) },
  owner_email: {
    label: strings.owner,
    width: 104,
    maxWidth: 160,
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
  amount_eur: {
    ...number,
    label: strings.amount,
    width: 84,
    cell: ({ amount_eur }) => amount(amount_eur, formatCompactEuros),
  },
  probability: {
    label: strings.probability,
    width: 96,
    isDescendingFirst: true,
    cell: ({ probability }) => probability !== null && <Probability probability={probability} />,
  },
  company_llm_score_overall: {
    ...number,
    label: strings.score,
    width: 72,
    cell: ({ company_llm_score_overall: score }) => score !== null && <ScoreBadge score={score} />,
  },
  company_industry_category: {
    label: strings.industry,
    width: 148,
    maxWidth: 200,
    cell: ({ company_industry_category }) => userText(company_industry_category),
  },
  // A deal that has been in its stage longer entered it earlier.
  stage_entered_at: {
    label: strings.inStage,
    width: 78,
    cell: (deal, { outcome }) => <DaysInStage deal={deal} outcome={outcome} />,
  },
  expected_close_on: {
    label: strings.expectedClose,
    width: 122,
    cell: ({ expected_close_on }) =>
      expected_close_on && <time dateTime={expected_close_on}>{formatDate(expected_close_on)}</time>,
  },
  next_step_on: {
    label: tasks.nextStep,
    width: 200,
    maxWidth: 320,
    cell: ({ next_step }) => next_step && <NextStepText step={next_step} />,
  },
  status: { label: strings.status, width: 84, cell: ({ status }) => <StatusBadge status={status} /> },
  round: { label: strings.terms.round, width: 100, cell: ({ round }) => userText(round) },
  valuation_eur: {
    ...number,
    label: strings.terms.valuation_eur,
    width: 100,
    cell: ({ valuation_eur }) => amount(valuation_eur, formatCompactEuros),
  },
  ownership_percent: {
    ...number,
    label: strings.terms.ownership_percent,
    width: 130,
    cell: ({ ownership_percent }) => ownership_percent !== null && formatNumber(ownership_percent),
  },
  source: { label: strings.terms.source, width: 140, cell: ({ source }) => userText(source) },
  source_name: { label: fields.broughtBy, width: 140, cell: (deal) => userText(sourceName(deal)) },
  lost_reason: { label: strings.lostReason, width: 200, cell: ({ lost_reason }) => userText(lost_reason) },
  notes: { label: strings.notes, width: 280, cell: ({ notes }) => userText(notes) },
  updated_at: {
    label: strings.updated,
    width: 128,
    isDescendingFirst: true,
    cell: ({ updated_at }) => age(updated_at),
  },
  created_at: {
    label: strings.created,
    width: 116,
    isDescendingFirst: true,
    cell: ({ created_at }) => day(created_at),
  },
  id: { label: strings.id, width: 260, cell: ({ id }) => userText(id) },
}

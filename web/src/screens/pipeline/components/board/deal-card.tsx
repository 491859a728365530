import { useDraggable } from '@dnd-kit/core'
import { ActionIcon, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconClockExclamation, IconGripVertical } from '@tabler/icons-react'
import { type MouseEvent, memo } from 'react'
import { strings } from '#strings/pipeline.ts'
import { strings as tasks } from '#strings/tasks.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { daysInStage, isStuck } from '#web/deals/stuck.ts'
import { personName } from '#web/fields/people.ts'
import { sourceName } from '#web/fields/source-field.tsx'
import { droppable } from '#web/files/drop/drop-record.ts'
import { formatCompactEuros, formatMoment, formatPercent } from '#web/format/format.ts'
import { NextStepText } from '#web/tasks/next-step-text.tsx'
import { CompanyLogo } from '#web/ui/company-logo.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import { NewMark } from '#web/views/new-mark.tsx'
import { useBoard } from '../../board-context.ts'
import { companyNameOf, type Stage } from '../../deals.ts'
import { useOpenDeal } from '../../hooks/use-open-deal.ts'
import { DealMenu } from '../deal/deal-menu.tsx'
import { StatusBadge } from '../deal/deal-values.tsx'
import classes from './deal-card.module.css'

interface DealCardProps {
  deal: Deal
  /** The outcome of its stage. */
  outcome: Stage['outcome']
  isOpen: boolean
  isSelected: boolean
}

/** A deal on the board. Mouse and touch drag the card, the keyboard its handle. */
export const DealCard = memo(function DealCard({ deal, outcome, isOpen, isSelected }: DealCardProps) {
  const mayMove = useCan('write')
  const { isCompact, newIds, toggle } = useBoard()
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, isDragging } = useDraggable({
    id: deal.id,
    data: { deal },
    disabled: !mayMove,
  })
  const openDeal = useOpenDeal()
  const { onKeyDown, ...ofPointer } = listeners ?? {}
  const name = companyNameOf(deal)
  const click = (event: MouseEvent) =>
    mayMove && toggle && (event.ctrlKey || event.metaKey) ? toggle(deal) : openDeal(deal.id)
  return (
    <article
      ref={setNodeRef}
      className={classes.card}
      data-open={isOpen || undefined}
      data-selected={isSelected || undefined}
      data-stuck={isStuck(deal, outcome) || undefined}
      data-lifted={isDragging || undefined}
      data-compact={isCompact || undefined}
      {...droppable({ type: 'deal', id: deal.id, name })}
      {...ofPointer}
    >
      <div className={classes.head}>
        <span className={classes.mark}>
          <span className={classes.monogram}>
            <CompanyLogo name={name} url={deal.company_logo_url} />
          </span>
          {mayMove && toggle && (
            <label className={classes.checkbox}>
              <input
                type="checkbox"
                checked={isSelected}
                onChange={() => toggle(deal)}
                aria-label={strings.select(name)}
              />
            </label>
          )}
        </span>
        {newIds.has(deal.id) && <NewMark />}
        <Text size="sm" fw={600} lineClamp={2} className={`${classes.name} break-anywhere`} dir="auto">
          <ScreenLink
            to="/companies/$id"
            params={{ id: deal.company_id }}
            inherit
            c="inherit"
            draggable={false}
            title={strings.openCompany}
          >
            {name}
          </ScreenLink>
        </Text>
      </div>
      <UnstyledButton className={classes.open} data-deal={deal.id} data-printed onClick={click}>
        <VisuallyHidden>{strings.openDeal(name)}</VisuallyHidden>
        <DealFacts deal={deal} outcome={outcome} />
      </UnstyledButton>
      <div className={classes.tools}>
        <DealMenu deal={deal} />
        {mayMove && (
          <ActionIcon
            ref={setActivatorNodeRef}
            variant="subtle"
            color="gray"
            size={24}
            style={{ cursor: 'inherit' }}
            {...attributes}
            data-handle={deal.id}
            aria-label={strings.drag(name)}
            onKeyDown={onKeyDown as React.KeyboardEventHandler}
          >
            <IconGripVertical size={16} aria-hidden />
          </ActionIcon>
        )}
      </div>
    </article>
  )
})

function DealFacts({ deal, outcome }: { deal: Deal; outcome: Stage['outcome'] }) {
  const { amount_eur, probability, owner_email, company_llm_score_overall: score, status } = deal
  const { showsSource } = useBoard()
  const source = showsSource ? sourceName(deal) : null
  return (
    <>
      {deal.company_industry_category && (
        <Text span size="xs" c="dimmed" truncate dir="auto">
          {deal.company_industry_category}
        </Text>
      )}
      {source && (
        <Text span size="xs" c="dimmed" truncate dir="auto">
          {strings.broughtBy(source)}
        </Text>
      )}
      {deal.next_step && (
        <Text span size="xs" c="dimmed" className={classes.step}>
          <VisuallyHidden>{tasks.nextStep}: </VisuallyHidden>
          <NextStepText step={deal.next_step} />
        </Text>
      )}
      <span className={classes.facts}>
        <Text span size="xs" fw={600}>
          {amount_eur === null ? strings.noAmount : formatCompactEuros(amount_eur)}
        </Text>
        {probability !== null && (
          <Text span size="xs" c="dimmed" title={strings.probability}>
            {formatPercent(probability / 100)}
          </Text>
        )}
      </span>
      <span className={classes.facts}>
        <span className={classes.people}>
          {owner_email && (
            <span title={strings.ownedBy(personName(owner_email))}>
              <Monogram name={personName(owner_email)} size={18} isPerson />
              <VisuallyHidden>{strings.ownedBy(personName(owner_email))}</VisuallyHidden>
            </span>
          )}
          {score !== null && (
            <span title={strings.score}>
              <VisuallyHidden>{strings.score}</VisuallyHidden>
              <ScoreBadge score={score} />
            </span>
          )}
        </span>
        <DaysInStage deal={deal} outcome={outcome} />
      </span>
      {status !== 'active' && status !== outcome && <StatusBadge status={status} />}
    </>
  )
}

/** The time that a deal has been in its stage. Stuck deals stand out. */
export function DaysInStage({ deal, outcome }: { deal: Deal; outcome: Stage['outcome'] }) {
  const days = daysInStage(deal)
  const isTooLong = isStuck(deal, outcome)
  return (
    <Text
      span
      size="xs"
      c={isTooLong ? undefined : 'dimmed'}
      className={classes.days}
      data-stuck={isTooLong || undefined}
      title={strings.inStageSince(formatMoment(deal.stage_entered_at))}
    >
      {isTooLong && <IconClockExclamation size={13} aria-hidden />}
      <span aria-hidden>{strings.shortDays(days)}</span>
      <VisuallyHidden>
        {isTooLong && `${strings.stuck}. `}
        {strings.daysInStage(days)}
      </VisuallyHidden>
    </Text>
  )
}

/** The card that follows the pointer while dragging, for all the deals that are moved. */
export function DealCardOverlay({ deal, count }: { deal: Deal; count: number }) {
  return (
    <div className={`${classes.card} ${classes.overlay}`}>
      <div className={classes.head}>
        <CompanyLogo name={companyNameOf(deal)} url={deal.company_logo_url} />
        <Text size="sm" fw={600} lineClamp={2} className={`${classes.name} break-anywhere`} dir="auto">
          {companyNameOf(deal)}
        </Text>
      </div>
      <Text size="xs" c="dimmed" px="xs" pb="xs">
        {count > 1 ? strings.andMore(count - 1) : deal.company_industry_category}
      </Text>
    </div>
  )
}

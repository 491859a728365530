import { Badge, Button, Divider, Group, Stack, Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { strings as pipeline } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { DealText } from '#web/deals/deal-text.tsx'
import { personName } from '#web/fields/people.ts'
import { sourceName } from '#web/fields/source-field.tsx'
import {
  formatAge,
  formatCompactEuros,
  formatDate,
  formatMoment,
  formatPercent,
  formatWord,
} from '#web/format/format.ts'
import type { Composer } from '#web/timeline/composer.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { ShareBar } from './score/score-bar.tsx'

interface CompanyDealsProps {
  /** Newest first. */
  deals: Deal[]
  /** The one that is shown first, with its notes. */
  latest: Deal | null
  create: () => void
  composer: Composer
}

/** The company's deals, and a button that creates one. */
export function CompanyDeals({ deals, latest, create, composer }: CompanyDealsProps) {
  const mayWrite = useCan('write')
  const others = deals.filter(({ id }) => id !== latest?.id)
  return (
    <Section
      title={deals.length > 1 ? strings.deals(deals.length) : strings.deal}
      actions={
        mayWrite && (
          <Button size="compact-sm" variant="default" onClick={create}>
            {strings.newDeal}
          </Button>
        )
      }
    >
      {latest ? (
        <Stack gap="xs">
          <DealSummary deal={latest} isLatest composer={composer} />
          {others.map((deal) => (
            <Stack key={deal.id} gap="xs">
              <Divider />
              <DealSummary deal={deal} composer={composer} />
            </Stack>
          ))}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {strings.noDeal}
        </Text>
      )}
    </Section>
  )
}

interface DealSummaryProps {
  deal: Deal
  isLatest?: boolean
  composer: Composer
}

function DealSummary({ deal, isLatest = false, composer }: DealSummaryProps) {
  const { id, stage, status, notes, lost_reason, probability } = deal
  const actions = {
    makeNote: (body: string) => composer.write({ kind: 'note', body }),
    makeDecision: (body: string) => composer.decide?.({ body, dealId: id }),
  }
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Badge variant="light" radius="sm" tt="none" maw="100%">
          {formatWord(stage)}
        </Badge>
        <Badge variant="default" radius="sm" tt="none" maw="100%">
          {formatWord(status)}
        </Badge>
        <ScreenLink to="/deals/$id" params={{ id }} size="sm" className="print-hidden">
          {strings.openDeal}
        </ScreenLink>
      </Group>
      <DealTerms deal={deal} />
      {probability !== null && (
        <Group gap="sm" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {strings.probability}
          </Text>
          <ShareBar
            label={strings.probabilityIs(formatPercent(probability / 100))}
            share={probability / 100}
          />
        </Group>
      )}
      {lost_reason && <DealText label={pipeline.lostReason} text={lost_reason} lines={6} {...actions} />}
      {notes && <DealText label={pipeline.notes} text={notes} lines={isLatest ? 6 : 2} {...actions} />}
    </Stack>
  )
}

/** The money, then who brought the deal, whose it is, and when it closes. */
function DealTerms({ deal }: { deal: Deal }) {
  const { amount_eur, round, valuation_eur, ownership_percent, source, owner_email, expected_close_on } = deal
  const brought = sourceName(deal)
  const money = [
    amount_eur !== null && formatCompactEuros(amount_eur),
    round,
    valuation_eur !== null && strings.valuedAt(formatCompactEuros(valuation_eur)),
    ownership_percent !== null && strings.share(formatPercent(ownership_percent / 100)),
  ].filter(Boolean)
  return (
    <>
      {money.length > 0 && (
        <Text size="sm" className="break-anywhere" dir="auto">
          {money.join(' · ')}
        </Text>
      )}
      <Facts
        facts={[
          owner_email && <bdi key="owner">{personName(owner_email)}</bdi>,
          expected_close_on && pipeline.closesOn(formatDate(expected_close_on)),
          brought && <bdi key="brought">{pipeline.broughtBy(brought)}</bdi>,
          source && <bdi key="source">{source}</bdi>,
        ]}
        onScreen={
          <span title={formatMoment(deal.updated_at)}>{strings.updated(formatAge(deal.updated_at))}</span>
        }
      />
    </>
  )
}

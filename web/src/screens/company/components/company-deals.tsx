import { Badge, Button, Divider, Group, Stack, Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatAge, formatMoment, formatPercent, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import classes from './company.module.css'
import { ShareBar } from './score/score-bar.tsx'

interface CompanyDealsProps {
  /** Newest first. */
  deals: Deal[]
  /** The one that is shown first, with its notes. */
  latest: Deal | null
  create: () => void
}

/** The company's deals, and a button that creates one. */
export function CompanyDeals({ deals, latest, create }: CompanyDealsProps) {
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
          <DealSummary deal={latest} isLatest />
          {others.map((deal) => (
            <Stack key={deal.id} gap="xs">
              <Divider />
              <DealSummary deal={deal} />
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

function DealSummary({ deal, isLatest = false }: { deal: Deal; isLatest?: boolean }) {
  return (
    <>
      <Group gap="xs">
        <Badge variant="light" radius="sm" tt="none" maw="100%">
          {formatWord(deal.stage)}
        </Badge>
        <Badge variant="default" radius="sm" tt="none" maw="100%">
          {formatWord(deal.status)}
        </Badge>
        <Text size="xs" c="dimmed" title={formatMoment(deal.updated_at)}>
          {strings.updated(formatAge(deal.updated_at))}
        </Text>
        <ScreenLink to="/deals/$id" params={{ id: deal.id }} size="sm" className="print-hidden">
          {strings.openDeal}
        </ScreenLink>
      </Group>
      {deal.probability !== null && (
        <Group gap="sm" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {strings.probability}
          </Text>
          <ShareBar
            label={strings.probabilityIs(formatPercent(deal.probability / 100))}
            share={deal.probability / 100}
          />
        </Group>
      )}
      {deal.notes && (
        <Text size="sm" dir="auto" className={classes.prose} lineClamp={isLatest ? 8 : 2}>
          {deal.notes}
        </Text>
      )}
    </>
  )
}

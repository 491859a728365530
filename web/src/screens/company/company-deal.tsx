import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import type { Deal } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { formatAge, formatMoment, formatPercent, formatWord } from '#web/words/format.ts'
import classes from './company.module.css'
import { ShareBar } from './score-bar.tsx'
import { Section } from './section.tsx'

interface CompanyDealProps {
  deal: Deal | null
  create: () => void
}

/** The company's deal, or a button that creates one. */
export function CompanyDeal({ deal, create }: CompanyDealProps) {
  const mayWrite = useMay('write')
  if (!deal)
    return (
      <Section
        title={strings.deal}
        actions={
          mayWrite && (
            <Button size="compact-sm" variant="default" onClick={create}>
              {strings.newDeal}
            </Button>
          )
        }
      >
        <Text size="sm" c="dimmed">
          {strings.noDeal}
        </Text>
      </Section>
    )
  return (
    <Section
      title={strings.deal}
      actions={
        <ScreenButton to="/pipeline" search={{ deal: deal.id }} size="compact-sm" variant="default">
          {strings.openDeal}
        </ScreenButton>
      }
    >
      <Stack gap="xs">
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
          <Text size="sm" dir="auto" className={classes.prose} lineClamp={8}>
            {deal.notes}
          </Text>
        )}
      </Stack>
    </Section>
  )
}

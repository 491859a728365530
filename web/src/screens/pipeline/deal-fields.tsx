import { Divider, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { DEAL_STATUSES } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import { ProbabilityField } from '#web/fields/probability-field.tsx'
import { WordSelect } from '#web/fields/word-select.tsx'
import type { Deal } from '#web/service/service.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { formatMoment } from '#web/words/format.ts'
import { DealNotes } from './deal-notes.tsx'
import { companyNameOf, stagesOf } from './deals.ts'
import { useUpdateDeal } from './use-update-deal.tsx'

interface DealFieldsProps {
  deal: Deal
  /** The deals on screen, whose stages can be chosen. */
  deals: Deal[]
  move: (deal: Deal, stage: string) => void
}

/** The fields of a deal. Each is saved as soon as it changes. */
export function DealFields({ deal, deals, move }: DealFieldsProps) {
  const { mutate, mutateAsync } = useUpdateDeal()
  // The stages when the panel was opened, even if this deal leaves one of them empty.
  const stages = useRef(stagesOf(deals)).current
  return (
    <Stack gap="lg">
      <Group gap={6} wrap="nowrap" align="baseline">
        <Text size="sm" c="dimmed">
          {strings.company}
        </Text>
        <ScreenLink
          to="/companies/$id"
          params={{ id: deal.company_id }}
          size="sm"
          className="break-anywhere"
          dir="auto"
          underline="always"
        >
          {companyNameOf(deal)}
        </ScreenLink>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <WordSelect
          label={strings.stage}
          words={stages}
          value={deal.stage}
          onChange={(stage) => move(deal, stage)}
          newWord={strings.newStage}
          notAWord={strings.invalidWord}
        />
        <WordSelect
          label={strings.status}
          words={DEAL_STATUSES}
          value={deal.status}
          onChange={(status) => status !== deal.status && mutate({ deal, changes: { status } })}
          newWord={strings.newStatus}
          notAWord={strings.invalidWord}
        />
      </SimpleGrid>
      <ProbabilityField
        value={deal.probability}
        onChange={(probability) =>
          probability !== deal.probability && mutate({ deal, changes: { probability } })
        }
      />
      <DealNotes deal={deal} save={(notes) => mutateAsync({ deal, changes: { notes } })} />
      <Divider />
      <Group gap="xl">
        <Moment label={strings.created} timestamp={deal.created_at} />
        <Moment label={strings.updated} timestamp={deal.updated_at} />
      </Group>
    </Stack>
  )
}

function Moment({ label, timestamp }: { label: string; timestamp: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm">
        <time dateTime={timestamp}>{formatMoment(timestamp)}</time>
      </Text>
    </div>
  )
}

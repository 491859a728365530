import { Divider, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { DEAL_STATUSES } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import { ProbabilityField } from '#web/fields/probability-field.tsx'
import { WordSelect } from '#web/fields/word-select.tsx'
import type { Deal } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { formatMoment, formatPercent, formatWord } from '#web/words/format.ts'
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
  const { mutateAsync } = useUpdateDeal()
  const mayWrite = useMay('write')
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
      {mayWrite ? <EditableFacts deal={deal} deals={deals} move={move} /> : <Facts deal={deal} />}
      <DealNotes deal={deal} save={(notes) => mutateAsync({ deal, changes: { notes } })} />
      <Divider />
      <Group gap="xl">
        <Moment label={strings.created} timestamp={deal.created_at} />
        <Moment label={strings.updated} timestamp={deal.updated_at} />
      </Group>
    </Stack>
  )
}

function EditableFacts({ deal, deals, move }: DealFieldsProps) {
  const { mutate } = useUpdateDeal()
  // The stages when the panel was opened, even if this deal leaves one of them empty.
  const stages = useRef(stagesOf(deals)).current
  return (
    <>
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
    </>
  )
}

/** The same for those who may not change them. */
function Facts({ deal }: { deal: Deal }) {
  return (
    <DefinitionList
      items={[
        [strings.stage, formatWord(deal.stage)],
        [strings.status, formatWord(deal.status)],
        [strings.probability, deal.probability === null ? null : formatPercent(deal.probability / 100)],
      ]}
    />
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

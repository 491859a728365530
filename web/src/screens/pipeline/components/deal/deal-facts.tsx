import { Box, Group, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useRef } from 'react'
import { DEAL_STATUSES } from '#src/client/limits.ts'
import { strings as fields } from '#strings/fields.ts'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { OwnerField } from '#web/fields/owner-field.tsx'
import { personName } from '#web/fields/people.ts'
import { ProbabilityField } from '#web/fields/probability-field.tsx'
import { SourceField, sourceName } from '#web/fields/source-field.tsx'
import { WordSelect } from '#web/fields/word-select.tsx'
import { formatPercent, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { useBoard } from '../../board-context.ts'
import { labelOfStage } from '../../deals.ts'
import { useUpdateDeal } from '../../hooks/use-update-deal.tsx'
import classes from './deal-panel.module.css'

/** Stage, status, owner, and probability of a deal. */
export function EditableFacts({ deal }: { deal: Deal }) {
  const { mutate } = useUpdateDeal()
  const { stages: all, move } = useBoard()
  // The stages from when the panel was opened, even if this deal leaves one of them empty.
  const stages = useRef(all)
  if (stages.current.length < all.length) stages.current = all
  return (
    <>
      <Fact label={strings.stage}>
        <WordSelect
          aria-label={strings.stage}
          size="xs"
          words={stages.current.map(({ stage }) => stage)}
          labelOf={(stage) => labelOfStage(stages.current, stage)}
          value={deal.stage}
          onChange={(stage) => move([deal], stage)}
          newWordLabel={strings.newStage}
          notAWord={strings.invalidWord}
        />
      </Fact>
      <Fact label={strings.status}>
        <WordSelect
          aria-label={strings.status}
          size="xs"
          words={DEAL_STATUSES}
          value={deal.status}
          onChange={(status) => status !== deal.status && mutate({ deal, changes: { status } })}
          newWordLabel={strings.newStatus}
          notAWord={strings.invalidWord}
        />
      </Fact>
      <Fact label={strings.owner}>
        <OwnerField
          aria-label={strings.owner}
          size="xs"
          email={deal.owner_email}
          onChange={(owner_email) =>
            owner_email !== deal.owner_email && mutate({ deal, changes: { owner_email } })
          }
        />
      </Fact>
      <ProbabilityField
        value={deal.probability}
        onChange={(probability) =>
          probability !== deal.probability && mutate({ deal, changes: { probability } })
        }
      />
    </>
  )
}

/** Who or what brought a deal, with a link to a company or a person that did. */
export function SourceFact({ deal, opensAtOnce = false }: { deal: Deal; opensAtOnce?: boolean }) {
  const { mutate } = useUpdateDeal()
  const mayWrite = useCan('write')
  const name = sourceName(deal)
  const isCompany = deal.source_type === 'company' && deal.source_name !== null
  const isPerson = deal.source_type === 'person' && deal.source_name !== null
  return (
    <Fact label={fields.broughtBy}>
      <Group gap={4} wrap="nowrap">
        {mayWrite ? (
          <Box flex={1} miw={0} data-empty={name === null || undefined}>
            <SourceField
              aria-label={fields.broughtBy}
              size="xs"
              autoFocus={opensAtOnce}
              source={deal}
              onChange={(changes) => mutate({ deal, changes })}
            />
          </Box>
        ) : (
          <Text span size="sm" dir="auto" className="break-anywhere">
            {name ?? strings.nothing}
          </Text>
        )}
        {(isCompany || isPerson) && (
          <ScreenLink
            to={isCompany ? '/companies/$id' : '/people/$id'}
            params={{ id: deal.source_id ?? '' }}
            display="flex"
            p={4}
            aria-label={fields.openSource(name ?? '')}
          >
            <IconArrowRight size={16} aria-hidden />
          </ScreenLink>
        )}
      </Group>
    </Fact>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={classes.term}>
      <Text span size="sm" c="dimmed">
        {label}
      </Text>
      <div className={classes.input}>{children}</div>
    </div>
  )
}

/** The same for users who may not change them. */
export function DealFacts({ deal }: { deal: Deal }) {
  const { stages } = useBoard()
  const { owner_email, probability } = deal
  const facts = [
    [strings.stage, labelOfStage(stages, deal.stage)],
    [strings.status, formatWord(deal.status)],
    [strings.owner, owner_email && personName(owner_email)],
    [strings.probability, probability === null ? null : formatPercent(probability / 100)],
  ] as const
  return facts.map(([label, value]) => (
    <Fact key={label} label={label}>
      <Text span size="sm" dir="auto">
        {value ?? strings.nothing}
      </Text>
    </Fact>
  ))
}

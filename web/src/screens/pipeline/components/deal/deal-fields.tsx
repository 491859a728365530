import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/pipeline.ts'
import { strings as trash } from '#strings/trash.ts'
import { History } from '#web/activity/history.tsx'
import { fieldQueries } from '#web/api/field-queries.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatMoment } from '#web/format/format.ts'
import { RecordNotes } from '#web/notes/record-notes.tsx'
import { TaskDialog } from '#web/tasks/lazy-dialogs.ts'
import { NextStepLine } from '#web/tasks/next-step-line.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenButton, ScreenLink } from '#web/ui/link.tsx'
import { companyNameOf } from '../../deals.ts'
import { useOpenDeal } from '../../hooks/use-open-deal.ts'
import { useUpdateDeal } from '../../hooks/use-update-deal.tsx'
import { LOST_REASON, TERMS } from '../../terms.ts'
import { DealFacts, EditableFacts, SourceFact } from './deal-facts.tsx'
import { DealNotes } from './deal-notes.tsx'
import classes from './deal-panel.module.css'
import { DealTerm } from './deal-term.tsx'
import { DeleteDeal } from './delete-deal.tsx'

/** The fields of a deal. Each is saved as soon as it changes. */
export function DealFields({ deal }: { deal: Deal }) {
  const { mutateAsync } = useUpdateDeal()
  const openDeal = useOpenDeal()
  const mayWrite = useCan('write')
  const mayDelete = useCan('delete')
  const [isDeleting, deletion] = useDisclosure(false)
  const [isAdding, adding] = useDisclosure(false)
  const about = { type: 'deal', id: deal.id, name: companyNameOf(deal) } as const
  return (
    <Stack gap="lg">
      <Stack gap={2}>
        <div className={classes.term}>
          <Text span size="sm" c="dimmed">
            {strings.company}
          </Text>
          <Group justify="space-between" gap="xs" wrap="nowrap">
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
            <ScreenButton
              to="/deals/$id"
              params={{ id: deal.id }}
              size="compact-sm"
              variant="default"
              style={{ flexShrink: 0 }}
            >
              {strings.openPage}
            </ScreenButton>
          </Group>
        </div>
        <NextStepLine step={deal.next_step} add={adding.open} />
        {mayWrite ? <EditableFacts deal={deal} /> : <DealFacts deal={deal} />}
        <Terms deal={deal} />
      </Stack>
      <DealNotes deal={deal} save={(notes) => mutateAsync({ deal, changes: { notes } })} />
      <Divider />
      <Group gap="xl">
        <Moment label={strings.inStageLabel} timestamp={deal.stage_entered_at} />
        <Moment label={strings.created} timestamp={deal.created_at} />
        <Moment label={strings.updated} timestamp={deal.updated_at} />
        {mayDelete && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={deletion.open}
          >
            {trash.deleteDeal}
          </Button>
        )}
      </Group>
      <RecordNotes about={about} companyId={deal.company_id} hasKeys={false} />
      <History of="deal" id={deal.id} />
      {isAdding && (
        <LazyDialog close={adding.close}>
          <TaskDialog about={about} close={adding.close} />
        </LazyDialog>
      )}
      {isDeleting && <DeleteDeal deal={deal} onDeleted={() => openDeal(null)} close={deletion.close} />}
    </Stack>
  )
}

/** The built-in terms, then the custom fields that are not archived. */
function Terms({ deal }: { deal: Deal }) {
  const { data: custom = [] } = useQuery(fieldQueries.customFields('deal'))
  const shown = custom.filter(({ archived }) => !archived)
  const isLost = deal.lost_reason !== null || deal.status === 'lost'
  return (
    <>
      {TERMS.map((term) => (
        <DealTerm key={term.key} deal={deal} term={term} />
      ))}
      <SourceFact deal={deal} />
      {isLost && <DealTerm deal={deal} term={LOST_REASON} />}
      {shown.map((field) => (
        <DealTerm key={field.id} deal={deal} term={{ ...field, isCustom: true }} />
      ))}
    </>
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

import { ActionIcon, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowLeft, IconDots, IconLayoutKanban, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings as history } from '#strings/history.ts'
import { strings } from '#strings/pipeline.ts'
import { strings as trash } from '#strings/trash.ts'
import { History } from '#web/activity/history.tsx'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { CompanyCard } from '#web/deals/company-card.tsx'
import { personName } from '#web/fields/people.ts'
import { sourceName } from '#web/fields/source-field.tsx'
import { RecordFiles } from '#web/files/record-files.tsx'
import { FollowButton } from '#web/follows/follow-button.tsx'
import { formatDate, formatEuros, formatPercent, formatWord } from '#web/format/format.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { NextStepLine } from '#web/tasks/next-step-line.tsx'
import { RecordTasks } from '#web/tasks/record-tasks.tsx'
import { useComposer } from '#web/timeline/composer.tsx'
import { PrintedTimeline, Timeline } from '#web/timeline/timeline.tsx'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { CompanyLogo } from '#web/ui/company-logo.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ScreenButton, ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { ABOUT, RecordLayout } from '#web/ui/record-layout.tsx'
import { useTab } from '#web/ui/use-tab.ts'
import { BoardContext } from '../../board-context.ts'
import { companyNameOf, labelOfStage, NO_STAGES } from '../../deals.ts'
import { useOutcomes } from '../../hooks/use-outcomes.tsx'
import { useConfiguredStages } from '../../pipeline-query.ts'
import { DealProperties } from './deal-properties.tsx'
import { DeleteDeal } from './delete-deal.tsx'

const TABS = ['timeline', ABOUT, 'history'] as const

interface DealPageProps {
  deal: Deal
  onDeleted: () => void
}

/** The deal: its timeline, and beside it its terms and its company. */
export function DealPage({ deal, onDeleted }: DealPageProps) {
  const { id, company_id } = deal
  const name = companyNameOf(deal)
  const [tab, show] = useTab(TABS)
  const { data: configured = NO_STAGES } = useConfiguredStages()
  const { move, dialog } = useOutcomes(configured)
  const board = useMemo(
    () => ({ stages: configured, move, isCompact: false, showsSource: false, newIds: new Set<string>() }),
    [configured, move],
  )
  const about = { type: 'deal', id, name } as const
  const composer = useComposer({
    about,
    companyId: company_id,
    decision: { companyId: company_id, companyName: deal.company_name, dealId: id },
  })
  return (
    <BoardContext value={board}>
      {composer.dialog}
      <Group mb="xs" className="print-hidden">
        <ScreenLink to="/pipeline" size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.toPipeline}
          </Group>
        </ScreenLink>
      </Group>
      <Page
        title={strings.dealWith(name)}
        mark={<CompanyLogo name={name} url={deal.company_logo_url} size={44} />}
        description={
          <>
            <DealSummary deal={deal} stage={labelOfStage(configured, deal.stage)} />
            <NextStepLine step={deal.next_step} add={composer.addTask} />
          </>
        }
        actions={<DealPageActions deal={deal} onDeleted={onDeleted} />}
      >
        <RecordLayout
          label={strings.sections}
          tab={tab}
          show={show}
          tabs={[
            {
              value: 'timeline',
              label: general.timeline,
              content: <Timeline of="deal" composer={composer} />,
            },
            { value: 'history', label: history.title, content: <History of="deal" id={id} /> },
          ]}
          rail={
            <>
              <DealProperties deal={deal} composer={composer} />
              <RecordTasks id={id} add={composer.addTask} />
              <RecordFiles about={about} add={composer.addFiles} />
              <CompanyCard id={company_id} name={name} />
            </>
          }
        >
          <PrintedTimeline of="deal" composer={composer} />
        </RecordLayout>
      </Page>
      {dialog}
    </BoardContext>
  )
}

/** The stage and the terms in a line. */
function DealSummary({ deal, stage }: { deal: Deal; stage: string }) {
  const { amount_eur, round, probability, owner_email, expected_close_on, status } = deal
  const source = sourceName(deal)
  return (
    <>
      <Text size="sm" c="var(--mantine-color-text)" dir="auto" mb={2}>
        {[stage, formatWord(status), probability !== null && formatPercent(probability / 100)]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <Facts
        facts={[
          amount_eur !== null && formatEuros(amount_eur),
          round,
          expected_close_on && strings.closesOn(formatDate(expected_close_on)),
          owner_email && strings.ownedBy(personName(owner_email)),
          source && strings.broughtBy(source),
        ]}
      />
    </>
  )
}

function DealPageActions({ deal, onDeleted }: DealPageProps) {
  const mayDelete = useCan('delete')
  const [isDeleting, deletion] = useDisclosure(false)
  useActions([
    mayDelete && {
      ...{ id: 'delete-deal', label: trash.deleteDeal, group: strings.deal },
      ...{ keys: ['Delete'], run: deletion.open },
    },
  ])
  return (
    <>
      <FollowButton type="deal" id={deal.id} />
      <ScreenButton
        to="/pipeline"
        search={{ deal: deal.id }}
        variant="default"
        leftSection={<IconLayoutKanban size={16} aria-hidden />}
      >
        {strings.showOnBoard}
      </ScreenButton>
      {mayDelete && (
        <MoreMenuButton remove={deletion.open}>
          <ActionIcon variant="default" size={32} aria-label={strings.more}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </MoreMenuButton>
      )}
      {isDeleting && <DeleteDeal deal={deal} onDeleted={onDeleted} close={deletion.close} />}
    </>
  )
}

const MoreMenuButton = overlayButton('menu', ({ remove, ...menu }: { remove: () => void } & OverlayProps) => (
  <AnchoredMenu {...menu} position="bottom-end">
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
        {trash.deleteDeal}
      </Menu.Item>
    </Menu.Dropdown>
  </AnchoredMenu>
))

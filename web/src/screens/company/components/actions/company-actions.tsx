import { Button } from '@mantine/core'
import { IconChevronDown, IconDownload, IconPlus, IconSparkles } from '@tabler/icons-react'
import { strings } from '#strings/company.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import type { CompanyDetail } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { FollowButton } from '#web/follows/follow-button.tsx'
import { type Action, useActions } from '#web/keyboard/actions.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import { ExportMenu, RunAiMenu } from './action-menus.tsx'
import { MoreActions } from './more-actions.tsx'

const ExportMenuButton = overlayButton('menu', ExportMenu)
const RunAiMenuButton = overlayButton('menu', RunAiMenu)

export type ActionType = 'generate_embeddings' | 'llm_score' | 'enrich_profile'

const LABELS: Record<ActionType, string> = {
  llm_score: strings.score,
  enrich_profile: strings.enrich,
  generate_embeddings: strings.index,
}
const TYPES = Object.keys(LABELS) as ActionType[]

interface CompanyActionsProps {
  detail: CompanyDetail
  startBulkAction: (type: ActionType) => void
  createDeal: () => void
  onDeleted: () => void
}

export function CompanyActions({ detail, startBulkAction, createDeal, onDeleted }: CompanyActionsProps) {
  const mayRunAi = useCan('bulk')
  const mayWrite = useCan('write')
  const offer = (type: ActionType): Action => ({
    id: `run-ai ${type}`,
    label: strings.runAiTo(LABELS[type]),
    group: keyboard.company,
    run: () => startBulkAction(type),
  })
  useActions(mayRunAi ? TYPES.map(offer) : [])
  return (
    <>
      <FollowButton type="company" id={detail.company.id} />
      <ExportMenuButton company={detail.company}>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {strings.exportData}
        </Button>
      </ExportMenuButton>
      {mayRunAi && (
        <RunAiMenuButton
          choices={TYPES.map((type) => ({ label: LABELS[type], run: () => startBulkAction(type) }))}
        >
          <Button
            variant="default"
            leftSection={<IconSparkles size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {strings.runAi}
          </Button>
        </RunAiMenuButton>
      )}
      {mayWrite && detail.deals.length === 0 && (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={createDeal}>
          {strings.newDeal}
        </Button>
      )}
      <MoreActions detail={detail} onDeleted={onDeleted} />
    </>
  )
}

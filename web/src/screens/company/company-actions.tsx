import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload, IconPlus, IconSparkles } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/company.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { type Action, useActions } from '#web/keyboard/actions.ts'
import { queries } from '#web/service/queries.ts'
import type { CompanyDetail } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { MoreActions } from './more-actions.tsx'
import { sourceAddress } from './source-file.tsx'

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
  const mayRunAi = useMay('bulk')
  const mayWrite = useMay('write')
  const offer = (type: ActionType): Action => ({
    id: `run-ai ${type}`,
    label: strings.runAiTo(LABELS[type]),
    group: keyboard.company,
    run: () => startBulkAction(type),
  })
  useActions(mayRunAi ? TYPES.map(offer) : [])
  return (
    <>
      <DownloadMenu detail={detail} />
      {mayRunAi && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<IconSparkles size={16} aria-hidden />}
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              {strings.runAi}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {TYPES.map((type) => (
              <Menu.Item key={type} onClick={() => startBulkAction(type)}>
                {LABELS[type]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
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

/** Asks for the source file only once the menu is open. */
function DownloadMenu({ detail: { company } }: { detail: CompanyDetail }) {
  const [isOpen, setOpen] = useState(false)
  const source = useQuery({ ...queries.sourceFile(company.id), enabled: isOpen })
  const profile = `/assets/companies/${encodeURIComponent(company.id)}/profile.json`
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {strings.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {source.error instanceof NotFound ? (
          <Menu.Item disabled>{strings.notImported}</Menu.Item>
        ) : (
          <Menu.Item component="a" href={sourceAddress(company.id)} download>
            {strings.sourceCsv}
          </Menu.Item>
        )}
        {company.enriched_data || company.enriched_data_error ? (
          <Menu.Item component="a" href={profile} download={`${company.id}.json`}>
            {strings.profileJson}
          </Menu.Item>
        ) : (
          <Menu.Item disabled>{strings.noProfileYet}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

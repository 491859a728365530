import { ActionIcon, Button } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings as lists } from '#strings/lists.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import type { CompaniesSearch } from '../companies-search.ts'
import { useExport } from '../hooks/use-export.ts'
import { useSelectedCount } from '../selection.ts'
import { ListMenu } from './list-menu.tsx'

const MoreActions = overlayButton('menu', ListMenu)

interface ListActionsProps {
  search: CompaniesSearch
  total: number
  create: () => void
}

/** The actions for the whole list. */
export function ListActions({ search, total, create }: ListActionsProps) {
  const download = useExport()
  const mayExport = useCan('export')
  const mayImport = useCan('import')
  const mayWrite = useCan('write')
  const mayRunAi = useCan('bulk')
  // The bar of the selection then has the primary button.
  const isSelecting = useSelectedCount() > 0 && mayRunAi
  const exportAll = () => download.mutate(search)
  const canExport = total > 0 && !download.isPending
  useActions([
    mayExport && {
      id: 'export-all',
      label: strings.exportAll(total),
      group: keyboard.list,
      run: exportAll,
      disabled: !canExport,
    },
  ])
  const creation = mayWrite && (
    <Button
      size="xs"
      variant={isSelecting ? 'default' : 'filled'}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={create}
    >
      {strings.newCompany}
    </Button>
  )
  return (
    <>
      {creation}
      {(mayImport || mayExport) && (
        <MoreActions
          total={total}
          mayImport={mayImport}
          mayExport={mayExport}
          canExport={canExport}
          exportAll={exportAll}
        >
          <ActionIcon variant="default" size={30} aria-label={lists.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </MoreActions>
      )}
    </>
  )
}

import { ActionIcon, Button } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import { useMay } from '#web/service/use-may.ts'
import { lazyOverlay } from '#web/ui/lazy-overlay.tsx'
import type { CompaniesSearch } from './companies-search.ts'
import { useExport } from './use-export.ts'

const MoreActions = lazyOverlay('menu', () => import('./list-menu.tsx'))

interface ListActionsProps {
  search: CompaniesSearch
  total: number
  create: () => void
}

/** The actions for the whole list. */
export function ListActions({ search, total, create }: ListActionsProps) {
  const download = useExport()
  const mayExport = useMay('export')
  const mayImport = useMay('import')
  const mayWrite = useMay('write')
  const creation = mayWrite && (
    <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
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
          isExporting={download.isPending}
          exportAll={() => download.mutate(search)}
        >
          <ActionIcon variant="default" size={30} aria-label={strings.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </MoreActions>
      )}
    </>
  )
}

import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconFileImport, IconPlus } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import { useMay } from '#web/service/use-may.ts'
import { ScreenMenuItem } from '#web/ui/link.tsx'
import type { CompaniesSearch } from './companies-search.ts'
import { useExport } from './use-export.ts'

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
  const exporting = {
    leftSection: <IconDownload size={16} aria-hidden />,
    disabled: total === 0 || download.isPending,
    onClick: () => download.mutate(search),
  }
  const importing = {
    to: '/companies/import',
    leftSection: <IconFileImport size={16} aria-hidden />,
  } as const
  const creation = mayWrite && (
    <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      {strings.newCompany}
    </Button>
  )
  return (
    <>
      {creation}
      {(mayImport || mayExport) && (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label={strings.more}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayImport && <ScreenMenuItem {...importing}>{strings.importCsv}</ScreenMenuItem>}
            {mayExport && <Menu.Item {...exporting}>{strings.exportAll(total)}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}

import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconFileImport, IconPlus } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import { ScreenButton, ScreenMenuItem } from '#web/ui/link.tsx'
import type { CompaniesSearch } from './companies-search.ts'
import { useExport } from './use-export.ts'

interface ListActionsProps {
  search: CompaniesSearch
  total: number
  create: () => void
  /** Whether there is room for a single button only. */
  isShort: boolean
}

/** The actions for the whole list. */
export function ListActions({ search, total, create, isShort }: ListActionsProps) {
  const download = useExport()
  const exporting = {
    leftSection: <IconDownload size={16} aria-hidden />,
    disabled: total === 0 || download.isPending,
    title: strings.exportAll(total),
    onClick: () => download.mutate(search),
  }
  const importing = {
    to: '/companies/import',
    leftSection: <IconFileImport size={16} aria-hidden />,
  } as const
  const creation = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      {strings.newCompany}
    </Button>
  )
  if (isShort)
    return (
      <>
        {creation}
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <ActionIcon variant="default" size="input-sm" aria-label={strings.more}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <ScreenMenuItem {...importing}>{strings.importCsv}</ScreenMenuItem>
            <Menu.Item {...exporting}>{strings.exportAll(total)}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </>
    )
  return (
    <>
      <Button variant="default" {...exporting} loading={download.isPending}>
        {strings.exportCsv}
      </Button>
      <ScreenButton variant="default" {...importing}>
        {strings.importCsv}
      </ScreenButton>
      {creation}
    </>
  )
}

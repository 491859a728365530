import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconDownload, IconFileImport, IconUserShare } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { strings as lists } from '#strings/lists.ts'
import { strings } from '#strings/pipeline.ts'
import { service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { saveFile } from '#web/browser/save-file.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'
import type { DealSelection } from '../pipeline-query.ts'

interface MenuProps {
  total: number
  /** undefined: the user may not export. */
  exportAll: (() => void) | undefined
  canExport: boolean
  mayImport: boolean
  showsSource?: boolean
  setShowsSource?: (shows: boolean) => void
}

/** The less frequent actions for all deals. */
const DealsMenu = ({
  total,
  canExport,
  mayImport,
  exportAll,
  showsSource = false,
  setShowsSource,
  ...menu
}: MenuProps & OverlayProps) => (
  <AnchoredMenu {...menu} position="bottom-end" withinPortal>
    <Menu.Dropdown>
      {setShowsSource && (
        <Menu.Item
          leftSection={<IconUserShare size={16} aria-hidden />}
          onClick={() => setShowsSource(!showsSource)}
        >
          {showsSource ? strings.hideSource : strings.showSource}
        </Menu.Item>
      )}
      {mayImport && (
        <ScreenMenuItem to="/pipeline/import" leftSection={<IconFileImport size={16} aria-hidden />}>
          {strings.importDeals}
        </ScreenMenuItem>
      )}
      {exportAll && (
        <Menu.Item
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={!canExport}
          onClick={exportAll}
        >
          {strings.exportAll(total)}
        </Menu.Item>
      )}
    </Menu.Dropdown>
  </AnchoredMenu>
)

const DealsMenuButton = overlayButton('menu', DealsMenu)

interface PipelineMenuProps {
  /** What selects the deals on screen, and their order. */
  selection: DealSelection & { stage?: string; sort?: string }
  total: number
  /** Of the board: whether its cards show who brought the deal. */
  showsSource?: boolean
  setShowsSource?: (shows: boolean) => void
}

/** Imports deals, exports those on screen, and says what the cards of the board show. */
export function PipelineMenu({ selection, total, ...source }: PipelineMenuProps) {
  const download = useMutation({
    mutationFn: async () => {
      const file = await service.exportDeals({ querystring: { ...selection, bom: true } })
      saveFile(await new Response(file).blob(), strings.fileName(new Date().toISOString().slice(0, 10)))
    },
    onSuccess: () => notifications.show({ message: strings.exported, color: 'teal' }),
  })
  const mayExport = useCan('export')
  const mayImport = useCan('import')
  const exportAll = () => download.mutate()
  const canExport = total > 0 && !download.isPending
  useActions([
    mayExport && {
      id: 'export-deals',
      label: strings.exportAll(total),
      group: strings.title,
      run: exportAll,
      disabled: !canExport,
    },
  ])
  if (!mayExport && !mayImport && !source.setShowsSource) return null
  return (
    <DealsMenuButton
      total={total}
      canExport={canExport}
      mayImport={mayImport}
      exportAll={mayExport ? exportAll : undefined}
      {...source}
    >
      <ActionIcon variant="default" size={36} aria-label={lists.more}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </DealsMenuButton>
  )
}

import { ActionIcon, Menu, Text } from '@mantine/core'
import {
  IconDots,
  IconDownload,
  IconExternalLink,
  IconHistory,
  IconLink,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { useState } from 'react'
import { strings } from '#strings/files.ts'
import type { FileRecord } from '#web/api/service.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'
import { contentAddress, downloadLink } from './file-address.ts'
import { canOpen } from './file-state.tsx'
import { ChangeRecords, FileHistory, RenameFile } from './lazy-dialogs.ts'
import { useFileActions } from './use-file-actions.ts'

type OpenDialog = 'rename' | 'about' | 'history'

interface FileMenuProps {
  file: FileRecord
  /** Whether it is on the page of the file, which has its own buttons for some of it. */
  isPage?: boolean
  /** Called after the file was moved to the trash. */
  onDeleted?: () => void
}

const icon = (Icon: typeof IconDots) => <Icon size={16} aria-hidden />

interface MenuItemsProps extends FileMenuProps {
  open: (dialog: OpenDialog) => void
}

function FileMenuItems({ file, isPage, onDeleted, open, ...menu }: MenuItemsProps & OverlayProps) {
  const { mayChange, mayDelete, mayShare, isPrivate, share, remove, addVersion } = useFileActions(file)
  return (
    <AnchoredMenu {...menu} position="bottom-end" withinPortal>
      <Menu.Dropdown>
        {!isPage && (
          <>
            <ScreenMenuItem to="/files/$id" params={{ id: file.id }} leftSection={icon(IconExternalLink)}>
              {strings.open}
            </ScreenMenuItem>
            <Menu.Item
              {...downloadLink(contentAddress(file.id), file.name)}
              leftSection={icon(IconDownload)}
              disabled={!canOpen(file)}
            >
              {strings.download}
            </Menu.Item>
          </>
        )}
        {mayChange && (
          <>
            {!isPage && (
              <Menu.Item leftSection={icon(IconUpload)} onClick={addVersion}>
                {strings.uploadVersion}
              </Menu.Item>
            )}
            <Menu.Item leftSection={icon(IconPencil)} onClick={() => open('rename')}>
              {strings.rename}
            </Menu.Item>
            <Menu.Item leftSection={icon(IconLink)} onClick={() => open('about')}>
              {strings.changeAbout}
            </Menu.Item>
          </>
        )}
        {mayShare && (
          <Menu.Item leftSection={icon(isPrivate ? IconLockOpen : IconLock)} onClick={() => share()}>
            {isPrivate ? strings.makeTeam : strings.makePrivate}
          </Menu.Item>
        )}
        <Menu.Item leftSection={icon(IconHistory)} onClick={() => open('history')}>
          {strings.history}
        </Menu.Item>
        {mayDelete && (
          <Menu.Item
            leftSection={icon(IconTrash)}
            onClick={() => remove(undefined, { onSuccess: () => onDeleted?.() })}
          >
            {strings.delete}
          </Menu.Item>
        )}
        {mayChange && !mayDelete && (
          <Menu.Item leftSection={icon(IconTrash)} disabled maw={280}>
            {strings.delete}
            <Text size="xs" c="dimmed">
              {strings.deleteInfected}
            </Text>
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}

const FileMenuButton = overlayButton('menu', FileMenuItems)

/** What can be done with a file. */
export function FileMenu({ file, isPage = false, onDeleted }: FileMenuProps) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <FileMenuButton file={file} isPage={isPage} open={setDialog} {...(onDeleted && { onDeleted })}>
        <ActionIcon
          variant={isPage ? 'default' : 'subtle'}
          {...(!isPage && { color: 'gray' })}
          size={isPage ? 36 : 28}
          className="print-hidden"
          aria-label={strings.moreOf(file.name)}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </FileMenuButton>
      {dialog && (
        <LazyDialog close={close}>
          {dialog === 'rename' && <RenameFile file={file} close={close} />}
          {dialog === 'about' && <ChangeRecords file={file} close={close} />}
          {dialog === 'history' && <FileHistory file={file} close={close} />}
        </LazyDialog>
      )}
    </>
  )
}

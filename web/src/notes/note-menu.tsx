import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDots,
  IconExternalLink,
  IconHistory,
  IconLink,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconTrash,
} from '@tabler/icons-react'
import { strings } from '#strings/notes.ts'
import type { Note } from '#web/api/service.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'
import { useNoteActions } from './use-note-actions.ts'

interface NoteMenuProps {
  note: Note
  edit: () => void
  showHistory: () => void
}

const icon = (Icon: typeof IconPin) => <Icon size={16} aria-hidden />

function NoteMenuItems({ note, edit, showHistory, ...menu }: NoteMenuProps & OverlayProps) {
  const { mayChange, pin, remove, copyLink } = useNoteActions(note)
  const isReply = note.parent_id !== null
  return (
    <AnchoredMenu {...menu} position="bottom-end" withinPortal>
      <Menu.Dropdown>
        {mayChange && (
          <Menu.Item leftSection={icon(IconPencil)} onClick={edit}>
            {strings.edit}
          </Menu.Item>
        )}
        {mayChange && !isReply && (
          <Menu.Item leftSection={icon(note.pinned ? IconPinnedOff : IconPin)} onClick={() => pin()}>
            {note.pinned ? strings.unpin : strings.pin}
          </Menu.Item>
        )}
        <ScreenMenuItem to="/notes/$id" params={{ id: note.id }} leftSection={icon(IconExternalLink)}>
          {strings.open}
        </ScreenMenuItem>
        <Menu.Item leftSection={icon(IconLink)} onClick={copyLink}>
          {strings.copyLink}
        </Menu.Item>
        <Menu.Item leftSection={icon(IconHistory)} onClick={showHistory}>
          {strings.history}
        </Menu.Item>
        {mayChange && (
          <Menu.Item leftSection={icon(IconTrash)} onClick={() => remove()}>
            {strings.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}

const NoteMenuButton = overlayButton('menu', NoteMenuItems)

/** The menu of a note. */
export const NoteMenu = ({ label, ...props }: NoteMenuProps & { label: string }) => (
  <NoteMenuButton {...props}>
    <ActionIcon variant="subtle" color="gray" size={28} aria-label={strings.more(label)}>
      <IconDots size={16} aria-hidden />
    </ActionIcon>
  </NoteMenuButton>
)

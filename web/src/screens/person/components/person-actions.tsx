import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowMerge, IconDots, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { strings as lists } from '#strings/lists.ts'
import { strings } from '#strings/people.ts'
import { strings as trash } from '#strings/trash.ts'
import { type Person, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { MergeInto } from './merge-into.tsx'

interface PersonActionsProps {
  person: Person
  onDeleted: () => void
}

/** The actions for a person as a whole. */
export function PersonActions({ person, onDeleted }: PersonActionsProps) {
  const mayDelete = useCan('delete')
  const [isDeleting, deletion] = useDisclosure(false)
  const [isMerging, merging] = useDisclosure(false)
  const { group } = strings
  useActions(
    mayDelete
      ? [
          { id: 'merge-person', label: strings.mergeInto, group, run: merging.open },
          { id: 'delete-person', label: strings.deletePerson, group, keys: ['Delete'], run: deletion.open },
        ]
      : [],
  )
  if (!mayDelete) return null
  return (
    <>
      <MoreMenuButton merge={merging.open} remove={deletion.open}>
        <ActionIcon variant="default" size={36} aria-label={lists.more}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </MoreMenuButton>
      {isMerging && <MergeInto person={person} close={merging.close} />}
      {isDeleting && <DeletePerson person={person} onDeleted={onDeleted} close={deletion.close} />}
    </>
  )
}

interface MoreMenuProps {
  merge: () => void
  remove: () => void
}

const MoreMenu = ({ merge, remove, ...menu }: MoreMenuProps & OverlayProps) => (
  <AnchoredMenu {...menu} position="bottom-end">
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={merge}>
        {strings.mergeInto}
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
        {strings.deletePerson}
      </Menu.Item>
    </Menu.Dropdown>
  </AnchoredMenu>
)

const MoreMenuButton = overlayButton('menu', MoreMenu)

interface DeletePersonProps extends PersonActionsProps {
  close: () => void
}

/** Asks before the person is deleted. */
function DeletePerson({ person: { id, name }, onDeleted, close }: DeletePersonProps) {
  const queryClient = useQueryClient()
  const act = async (isShown: () => boolean) => {
    await service.deletePerson({ params: { id } })
    if (isShown()) onDeleted()
    for (const resource of ['people', 'activity']) queryClient.invalidateQueries({ queryKey: [resource] })
  }
  return (
    <ConfirmDialog
      title={strings.deleteTitle(name)}
      confirm={strings.deletePerson}
      isDangerous
      act={act}
      close={close}
    >
      {strings.deleteHelp} {trash.canRestore}
    </ConfirmDialog>
  )
}

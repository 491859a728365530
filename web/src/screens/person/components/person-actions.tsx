import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/people.ts'
import { strings as trash } from '#strings/trash.ts'
import { type Person, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface PersonActionsProps {
  person: Person
  onDeleted: () => void
}

/** The actions for a person as a whole. */
export function PersonActions({ person, onDeleted }: PersonActionsProps) {
  const mayDelete = useCan('delete')
  const [isDeleting, deletion] = useDisclosure(false)
  useActions([
    mayDelete && {
      id: 'delete-person',
      label: strings.deletePerson,
      group: strings.group,
      keys: ['Delete'],
      run: deletion.open,
    },
  ])
  if (!mayDelete) return null
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={deletion.open}>
        {trash.delete}
      </Button>
      {isDeleting && <DeletePerson person={person} onDeleted={onDeleted} close={deletion.close} />}
    </>
  )
}

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

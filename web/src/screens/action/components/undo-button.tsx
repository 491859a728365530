import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/actions.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import UndoDialog from '#web/activity/undo-dialog.tsx'
import { queries } from '#web/api/queries.ts'
import type { Action } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useActions } from '#web/keyboard/actions.ts'

/** Undoes an action, after showing what that would change. Undoing those of others needs permission to delete. */
export function UndoButton({ action }: { action: Action }) {
  const me = useQuery(queries.me())
  const mayWrite = useCan('write')
  const mayDelete = useCan('delete')
  const isOwn = me.data?.email === action.user_email
  const [isOpen, dialog] = useDisclosure(false)
  const mayUndo = action.undoable && mayWrite && (isOwn || mayDelete)
  const label = action.kind === 'undo' ? strings.redoThis : strings.undoThis
  useActions([mayUndo && { id: 'undo-action', label, group: keyboard.screen, run: dialog.open }])
  if (!mayUndo) return null
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={dialog.open}>
        {action.kind === 'undo' ? strings.redo : strings.undo}
      </Button>
      {isOpen && <UndoDialog id={action.id} isRedo={action.kind === 'undo'} close={dialog.close} />}
    </>
  )
}

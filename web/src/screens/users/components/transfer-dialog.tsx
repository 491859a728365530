import { NativeSelect, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/users.ts'
import { queries } from '#web/api/queries.ts'
import { service, type User } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Asks who gets the private notes and files of a disabled user. */
export function TransferDialog({ user, close }: { user: User; close: () => void }) {
  const users = useQuery(queries.allUsers())
  const active = (users.data ?? []).filter(({ disabled }) => !disabled)
  const [chosen, setChosen] = useState('')
  const act = async () => {
    const body = { from: user.email, to: chosen }
    const notes = await service.transferNotes({ body })
    const files = await service.transferFiles({ body })
    notifications.show({
      message: strings.transferred(notes.data.notes, files.data.files, chosen),
      color: 'teal',
    })
  }
  return (
    <ConfirmDialog
      title={strings.transferTitle}
      confirm={strings.transferConfirm}
      isDisabled={chosen === ''}
      act={act}
      close={close}
    >
      <Stack gap="sm">
        {strings.transferHelp(user.email)}
        <NativeSelect
          label={strings.newOwner}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[
            { value: '', label: strings.chooseUser, disabled: true },
            ...active.map(({ email, name }) => ({
              value: email,
              label: name ? `${name} (${email})` : email,
            })),
          ]}
        />
      </Stack>
    </ConfirmDialog>
  )
}

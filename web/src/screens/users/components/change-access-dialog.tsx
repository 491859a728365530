import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Role } from '#src/client/limits.ts'
import { strings } from '#strings/users.ts'
import { queries } from '#web/api/queries.ts'
import { service, type User } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** A change of a user's role or access. */
export type AccessChange = { user: User; role: Role } | { user: User; disabled: boolean }

/** Asks before a user's role or access changes, and says what that means. */
export function ChangeAccessDialog({ change, close }: { change: AccessChange; close: () => void }) {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  const { email } = change.user
  const { title, text, confirm, done } = wordsOf(change)
  const act = async () => {
    const body = 'role' in change ? { role: change.role } : { disabled: change.disabled }
    const { data: user } = await service.updateUser({ params: { email }, body })
    queryClient.setQueryData(queries.allUsers().queryKey, (users) =>
      users?.map((one) => (one.email === email ? user : one)),
    )
    notifications.show({ message: done, color: 'teal' })
    if (email === me?.email) await queryClient.invalidateQueries({ queryKey: queries.me().queryKey })
  }
  return (
    <ConfirmDialog
      title={title}
      confirm={confirm}
      isDangerous={'disabled' in change && change.disabled}
      act={act}
      close={close}
    >
      {text}
      {email === me?.email && 'role' in change && ` ${strings.ownRole}`}
    </ConfirmDialog>
  )
}

function wordsOf(change: AccessChange) {
  const { email } = change.user
  if ('role' in change)
    return {
      title: strings.roleTitle,
      text: `${strings.roleHelp(email, strings.roles[change.role])} ${strings.roleAllows[change.role]}`,
      confirm: strings.roleConfirm,
      done: strings.roleChanged,
    }
  if (change.disabled)
    return {
      title: strings.disableTitle,
      text: strings.disableHelp(email),
      confirm: strings.disableConfirm,
      done: strings.disabledNow,
    }
  return {
    title: strings.enableTitle,
    text: strings.enableHelp(email),
    confirm: strings.enableConfirm,
    done: strings.enabledNow,
  }
}

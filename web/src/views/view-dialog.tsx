import { Alert, Button, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { MAX_VIEW_NAME_LENGTH } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/views.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import type { ViewActions } from './use-view-actions.ts'
import type { View } from './view-queries.ts'
import type { ViewState } from './view-state.ts'

interface ViewDialogProps {
  /** The view to rename; undefined: saves a new one. */
  view: View | undefined
  suggestion: string
  /** The version that is renamed. */
  seenAt: string | undefined
  /** What a new view shows. */
  state: ViewState
  actions: ViewActions
  saved: (view: View) => void
  close: () => void
}

/** Names a view. */
export default function ViewDialog({
  view,
  seenAt,
  suggestion,
  state,
  actions,
  saved,
  close,
}: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? suggestion)
  const [isShared, setShared] = useState(view?.visibility === 'shared')
  const { create, update } = actions
  const saving = view ? update : create
  const submit = () => {
    const visibility = isShared ? ('shared' as const) : ('private' as const)
    const done = {
      onSuccess: (result: View) => {
        saved(result)
        close()
      },
    }
    if (!view) create.mutate({ name: name.trim(), visibility, state }, done)
    else
      update.mutate(
        { id: view.id, changes: { name: name.trim(), visibility }, seenAt: seenAt ?? view.updated_at },
        done,
      )
  }
  return (
    <Dialog onClose={close} title={view ? strings.renameTitle : strings.saveTitle} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') submit()
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={strings.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            maxLength={MAX_VIEW_NAME_LENGTH}
            required
            dir="auto"
            data-autofocus
          />
          <Switch
            label={strings.shareWithEveryone}
            description={strings.shareHelp}
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          {saving.isError && (
            <Alert color="red" title={general.notSaved} role="alert">
              {errorMessage(saving.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={name.trim() === ''}>
              {strings.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

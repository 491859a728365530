import { Alert, Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_VIEW_NAME_LENGTH } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/views.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { formatAge } from '#web/format/format.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import type { ViewActions } from './hooks/use-view-actions.ts'
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
export function ViewDialog({ view, seenAt, suggestion, state, actions, saved, close }: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? suggestion)
  const [isShared, setShared] = useState(view?.visibility === 'shared')
  const isShown = useIsMounted()
  const saving = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: (): Promise<View> => {
      const named = { name: name.trim(), visibility: isShared ? ('shared' as const) : ('private' as const) }
      return view
        ? actions.update.mutateAsync({ id: view.id, changes: named, seenAt: seenAt ?? view.updated_at })
        : actions.create.mutateAsync({ ...named, state })
    },
    onSuccess: (result) => {
      // After closing, this would leave the view that is open now, and close the next dialog.
      if (!isShown()) return
      saved(result)
      close()
    },
  })
  return (
    <Dialog onClose={close} title={view ? strings.renameTitle : strings.saveTitle} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') saving.mutate()
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

interface ConflictDialogProps {
  /** The view as someone else saved it. */
  view: View
  overwrite: () => Promise<void>
  saveAs: () => void
  close: () => void
}

/** Shown when someone else, or another tab, saved the view first. Overwriting needs confirmation. */
export function ConflictDialog({ view, overwrite, saveAs, close }: ConflictDialogProps) {
  const isShown = useIsMounted()
  const overwriting = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: overwrite,
    onSuccess: () => {
      if (isShown()) close()
    },
  })
  return (
    <Dialog onClose={close} title={strings.conflictTitle} centered>
      <Stack>
        <Text size="sm" className="break-anywhere">
          {strings.conflict(view.name, view.updated_by_email, formatAge(view.updated_at))}
        </Text>
        {overwriting.isError && (
          <Alert color="red" title={general.notSaved} role="alert">
            {errorMessage(overwriting.error)}
          </Alert>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {general.cancel}
          </Button>
          <Button variant="default" loading={overwriting.isPending} onClick={() => overwriting.mutate()}>
            {strings.overwrite}
          </Button>
          <Button onClick={saveAs} data-autofocus>
            {strings.saveAs}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface DeleteViewDialogProps {
  view: View
  actions: ViewActions
  deleted: () => void
  close: () => void
}

/** Asks before a view is deleted, which cannot be undone. */
export function DeleteViewDialog({ view, actions, deleted, close }: DeleteViewDialogProps) {
  return (
    <ConfirmDialog
      title={strings.deleteTitle}
      confirm={strings.deleteConfirm}
      isDangerous
      act={async (isShown) => {
        await actions.remove.mutateAsync(view.id)
        if (isShown()) deleted()
      }}
      close={close}
    >
      {view.visibility === 'shared'
        ? strings.deleteShared(view.name, view.entity)
        : strings.deletePrivate(view.name, view.entity)}
    </ConfirmDialog>
  )
}

import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { MAX_FILE_NAME_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/files.ts'
import { strings as general } from '#strings/general.ts'
import { History } from '#web/activity/history.tsx'
import { errorMessage } from '#web/api/error-message.ts'
import type { FileRecord } from '#web/api/service.ts'
import { isConflict } from '#web/editing/if-match.ts'
import { AboutField } from '#web/notes/form/about-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { type FileChanges, saveFileChanges } from './use-file-actions.ts'

interface FileDialogProps {
  file: FileRecord
  close: () => void
}

interface ChangeDialogProps extends FileDialogProps {
  title: string
  /** What is sent; null: the form has an error. */
  changes: () => FileChanges | null
  children: ReactNode
}

/** A form that changes a file. If the change fails, the dialog stays open with the reason. */
function ChangeDialog({ file, title, changes, close, children }: ChangeDialogProps) {
  const isShown = useIsMounted()
  const save = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: (body: FileChanges) => saveFileChanges(file, body),
    onSuccess: () => {
      if (isShown()) close()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const body = changes()
    if (body && !save.isPending) save.mutate(body)
  }
  return (
    <Dialog onClose={close} title={title} size="lg" classNames={{ title: 'break-anywhere' }}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {children}
          {save.isError && (
            <Alert color="red" role="alert" title={general.notSaved}>
              {isConflict(save.error) ? strings.conflict : errorMessage(save.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {strings.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Renames a file. The name without its ending is selected. */
export function RenameFile({ file, close }: FileDialogProps) {
  const [name, setName] = useState(file.name)
  const isEmpty = name.trim() === ''
  return (
    <ChangeDialog
      file={file}
      title={strings.renameTitle}
      changes={() => (isEmpty ? null : { name: name.trim() })}
      close={close}
    >
      <TextInput
        label={strings.name}
        value={name}
        maxLength={MAX_FILE_NAME_LENGTH}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        onFocus={({ currentTarget }) => {
          const ending = currentTarget.value.lastIndexOf('.')
          currentTarget.setSelectionRange(0, ending > 0 ? ending : currentTarget.value.length)
        }}
        error={isEmpty && strings.nameRequired}
        data-autofocus
        dir="auto"
      />
    </ChangeDialog>
  )
}

/** Changes the records that a file is about. */
export function ChangeRecords({ file, close }: FileDialogProps) {
  const [about, setAbout] = useState(file.about)
  const isEmpty = about.length === 0
  return (
    <ChangeDialog
      file={file}
      title={strings.aboutTitle(file.name)}
      changes={() => (isEmpty ? null : { about: about.map(({ type, id }) => ({ type, id })) })}
      close={close}
    >
      <AboutField about={about} onChange={setAbout} error={isEmpty ? strings.aboutRequired : null} isFirst />
    </ChangeDialog>
  )
}

/** The changes of a file. */
export const FileHistory = ({ file, close }: FileDialogProps) => (
  <Dialog
    onClose={close}
    title={strings.historyOf(file.name)}
    size="xl"
    classNames={{ title: 'break-anywhere' }}
  >
    <History of="file" id={file.id} />
  </Dialog>
)

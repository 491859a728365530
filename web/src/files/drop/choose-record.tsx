import { Button, Group, List, Stack, Switch, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type SubmitEvent, useState } from 'react'
import { strings } from '#strings/files.ts'
import { strings as general } from '#strings/general.ts'
import { AboutField } from '#web/notes/form/about-field.tsx'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatFileSize } from '#web/ui/file-size.ts'
import { startUploads } from '../uploads/uploads.ts'

const LISTED = 5

interface ChooseRecordProps {
  files: File[]
  /** The record that they were dropped on. */
  about: AboutEntry[]
  close: () => void
}

/** Asks which records files belong to, and adds them. */
export default function ChooseRecord({ files, about: initial, close }: ChooseRecordProps) {
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const [about, setAbout] = useState(initial)
  const [isPrivate, setPrivate] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setChecked(true)
    if (about.length === 0) return
    startUploads(files, { about, isPrivate })
    close()
  }
  const hidden = files.length - LISTED
  return (
    <Dialog
      onClose={close}
      title={strings.chooseRecord(files.length, files[0]?.name ?? '')}
      size="lg"
      fullScreen={isNarrow}
      classNames={{ title: 'break-anywhere' }}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {files.length > 1 && (
            <List size="sm" listStyleType="none" spacing={2}>
              {files.slice(0, LISTED).map((file, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list does not change
                <List.Item key={index} className="break-anywhere">
                  <bdi>{file.name}</bdi>{' '}
                  <Text span inherit c="dimmed">
                    {formatFileSize(file.size)}
                  </Text>
                </List.Item>
              ))}
              {hidden > 0 && <List.Item c="dimmed">{strings.andMore(hidden)}</List.Item>}
            </List>
          )}
          <AboutField
            about={about}
            onChange={setAbout}
            error={isChecked && about.length === 0 ? strings.aboutRequired : null}
            isFirst={initial.length === 0}
          />
          <Switch
            label={strings.private}
            description={strings.privateHelp}
            checked={isPrivate}
            onChange={({ currentTarget }) => setPrivate(currentTarget.checked)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" {...(initial.length > 0 && { 'data-autofocus': true })}>
              {strings.add(files.length)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

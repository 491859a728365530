import { Button, Group, Stack } from '@mantine/core'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/keyboard.ts'
import { cleanTags } from '#web/fields/tags.ts'
import { TagsField } from '#web/fields/tags-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { TypedValue } from '#web/ui/select/searchable-multi-select.tsx'
import { type Changes, type ShortcutTargets, textOf } from '../../shortcut-targets.ts'
import { tagChanges } from '../../tag-changes.ts'

interface TagsDialogProps {
  targets: ShortcutTargets
  /** Saves the changes, if there are any. */
  save: (changes: Changes) => void
  close: () => void
}

/** Changes the tags of a company, or adds tags to many. */
export default function TagsDialog({ targets, save, close }: TagsDialogProps) {
  const [before] = useState(targets.company?.tags ?? [])
  const [tags, setTags] = useState<string[]>([...before])
  const typed = useRef<TypedValue>(null)
  const finish = () => {
    const all = typed.current?.add('first')
    if (all) save(tagChanges(before, cleanTags(all)))
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    finish()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    finish()
  }
  return (
    <Dialog
      onClose={close}
      title={targets.company ? strings.tagsOf(targets.company.name) : strings.addTags(textOf(targets))}
    >
      <form onSubmit={submit}>
        <Stack>
          <TagsField
            data-autofocus
            aria-label={strings.tags}
            tags={tags}
            onChange={setTags}
            typedValue={typed}
            onKeyDown={press}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" aria-keyshortcuts="Control+Enter">
              {strings.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

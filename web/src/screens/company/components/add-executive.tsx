import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { strings } from '#strings/company.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { useDraft } from '#web/editing/use-draft.ts'

const EMPTY = { name: '', title: '' }

interface AddExecutiveProps {
  draftKey: string
  add: (person: { name: string; title: string | null }) => Promise<void>
  cancel: () => void
}

/** A form for a new executive. It stays open if saving fails. */
export function AddExecutive({ draftKey, add, cancel }: AddExecutiveProps) {
  const [person, setPerson, clearDraft] = useDraft(draftKey, EMPTY)
  const [error, setError] = useState<string | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsSaving(true)
    setError(null)
    try {
      await add({ name: person.name.trim(), title: person.title.trim() || null })
      clearDraft()
    } catch (reason) {
      setError(errorMessage(reason))
      setIsSaving(false)
    }
  }
  const discard = () => {
    clearDraft()
    cancel()
  }
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) discard()
      }}
    >
      <Stack gap="xs">
        <Group gap="xs" align="flex-end">
          <TextInput
            ref={first}
            label={strings.personName}
            value={person.name}
            onChange={(event) => setPerson({ ...person, name: event.currentTarget.value })}
            required
            pattern=".*\S.*"
            maxLength={300}
            dir="auto"
            style={{ flex: '1 1 10rem' }}
          />
          <TextInput
            label={strings.personTitle}
            value={person.title}
            onChange={(event) => setPerson({ ...person, title: event.currentTarget.value })}
            maxLength={300}
            dir="auto"
            style={{ flex: '1 1 10rem' }}
          />
          <Group gap="xs">
            <Button type="submit" loading={isSaving}>
              {strings.add}
            </Button>
            <Button variant="default" onClick={discard}>
              {general.cancel}
            </Button>
          </Group>
        </Group>
        {error && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
      </Stack>
    </form>
  )
}

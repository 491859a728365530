import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { MAX_NOTES_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useDraft } from '#web/editing/use-draft.ts'

interface DealNotesProps {
  deal: Deal
  save: (notes: string | null) => Promise<unknown>
  /** Whether its label is the title above it. */
  hideLabel?: boolean
}

interface Draft {
  text: string
  /** The notes when editing began. */
  from: string | null
}

/** The notes of a deal, saved when the field loses focus. Unsaved text is kept in this tab. */
export function DealNotes({ deal, save, hideLabel = false }: DealNotesProps) {
  const mayWrite = useCan('write')
  const [draft, setDraft, clearDraft] = useDraft<Draft | null>(`deal-notes:${deal.id}`, null)
  const [state, setState] = useState<'saving' | 'saved' | null>(null)
  const text = draft?.text ?? deal.notes ?? ''
  const isChanged = draft !== null && text !== (deal.notes ?? '')
  const isConflict = isChanged && state !== 'saving' && draft.from !== deal.notes
  const saveText = async () => {
    if (!mayWrite || !isChanged || state === 'saving') return
    setState('saving')
    const isSaved = await save(text.trim() === '' ? null : text).then(
      () => true,
      () => false,
    )
    if (isSaved) clearDraft()
    setState(isSaved ? 'saved' : null)
  }
  return (
    <Stack gap="xs">
      <Textarea
        {...(hideLabel ? { 'aria-label': strings.notes } : { label: strings.notes })}
        {...(mayWrite && { placeholder: strings.notesPlaceholder })}
        autosize
        minRows={hideLabel ? 3 : 6}
        maxRows={18}
        maxLength={MAX_NOTES_LENGTH}
        value={text}
        readOnly={!mayWrite || state === 'saving'}
        dir="auto"
        onChange={({ currentTarget }) => {
          setState(null)
          setDraft({ text: currentTarget.value, from: draft ? draft.from : deal.notes })
        }}
        onBlur={() => !isConflict && saveText()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) saveText()
        }}
      />
      {mayWrite && (
        <Group justify="space-between" wrap="nowrap" mih={22}>
          <Text size="xs" c="dimmed" role="status">
            {state === 'saving' && strings.saving}
            {state === 'saved' && strings.saved}
            {state === null && (isChanged && !isConflict ? strings.notSavedYet : strings.notesHint)}
          </Text>
          {isChanged && !isConflict && state === null && (
            <Button size="compact-xs" variant="default" onClick={saveText}>
              {strings.saveNow}
            </Button>
          )}
        </Group>
      )}
      {mayWrite && isConflict && (
        <Alert color="orange" icon={<IconUsers aria-hidden />} title={strings.notesConflict} role="alert">
          <Stack gap="xs" align="flex-start">
            <Text size="xs" fw={600}>
              {strings.theirNotes}
            </Text>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} className="break-anywhere" dir="auto">
              {deal.notes ?? strings.noNotes}
            </Text>
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={saveText}>
                {strings.keepMine}
              </Button>
              <Button size="xs" variant="default" onClick={clearDraft}>
                {strings.useTheirs}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
    </Stack>
  )
}

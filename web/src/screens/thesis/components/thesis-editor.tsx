import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/theses.ts'
import { errorMessage } from '#web/api/error-message.ts'
import type { Thesis } from '#web/api/service.ts'
import { changedFields } from '#web/editing/record-changes.ts'
import { Page } from '#web/ui/page.tsx'
import { isDuplicateCode } from '../duplicate-code.ts'
import { type ThesisDraft, useThesisDraft } from '../hooks/use-thesis-draft.ts'
import { useThesisSave } from '../hooks/use-thesis-save.ts'
import { merged, type ThesisText, thesisText, validateThesis } from '../thesis-draft.ts'
import { ConfirmDiscard, ConfirmLeave } from './confirm-dialogs.tsx'
import { Conflict } from './conflict.tsx'
import { MarkdownField } from './markdown-field.tsx'
import { ThesisFields } from './thesis-fields.tsx'

interface ThesisEditorProps {
  thesis: Thesis
  close: () => void
}

const draftOf = (thesis: Thesis): ThesisDraft => ({
  text: thesisText(thesis),
  from: thesisText(thesis),
  updated_at: thesis.updated_at,
})

/** Edits a thesis. The draft is stored in this tab until it is saved. */
export function ThesisEditor({ thesis, close }: ThesisEditorProps) {
  const [stored, setStored, clearDraft] = useThesisDraft(thesis.id)
  // The version when editing began counts, even if a newer one is fetched.
  const [initial] = useState(() => draftOf(thesis))
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [mine, setMine] = useState<ThesisText | null>(null)
  const [isConfirming, setIsConfirming] = useState(false)
  const draft = stored ?? initial
  const { text } = draft
  const isChanged = changedFields(text, draft.from).length > 0
  const { save, remote } = useThesisSave(thesis.id, (saved, sent) => {
    // Text typed while saving is not saved yet.
    if (changedFields(text, sent.text).length > 0)
      setStored({ ...draftOf(saved), text: merged(text, sent.text, thesisText(saved)) })
    else clearDraft()
  })
  useEffect(() => {
    if (save.isSuccess && stored === null) close()
  }, [save.isSuccess, stored, close])
  const change = (changed: Partial<ThesisText>) => setStored({ ...draft, text: { ...text, ...changed } })
  const finish = () => {
    clearDraft()
    close()
  }
  const submit = (sent: ThesisDraft = draft) => {
    setWasSubmitted(true)
    if (save.isPending || Object.keys(validateThesis(sent.text)).length > 0) return
    if (changedFields(sent.text, sent.from).length === 0) return finish()
    save.mutate(sent)
  }
  const takeRemote = (taken: Thesis) => {
    setMine(merged(text, draft.from, thesisText(taken)))
    setStored(draftOf(taken))
    save.reset()
  }
  const keepMine = (other: Thesis) => {
    const saved = thesisText(other)
    const rebased = { text: merged(text, draft.from, saved), from: saved, updated_at: other.updated_at }
    setStored(rebased)
    save.reset()
    submit(rebased)
  }
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    submit()
  })
  const isDuplicate = isDuplicateCode(save.error)
  return (
    <Page
      title={strings.editing(thesis.code)}
      description={isChanged ? strings.unsaved : strings.saveHint}
      actions={
        <>
          <Button
            variant="default"
            disabled={save.isPending}
            onClick={() => (isChanged ? setIsConfirming(true) : finish())}
          >
            {general.cancel}
          </Button>
          <Button onClick={() => submit()} loading={save.isPending} title={strings.saveHint}>
            {strings.save}
          </Button>
        </>
      }
    >
      <Stack>
        {remote && <Conflict draft={draft} remote={remote} keepMine={keepMine} takeRemote={takeRemote} />}
        {mine && (
          <Alert color="blue" role="status">
            <Group justify="space-between" gap="xs">
              <Text size="sm">{strings.viewingTheirs}</Text>
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  change(mine)
                  setMine(null)
                }}
              >
                {strings.backToMine}
              </Button>
            </Group>
          </Alert>
        )}
        {save.isError && !remote && !isDuplicate && (
          <Alert color="red" role="alert" title={general.notSaved}>
            {errorMessage(save.error)}
          </Alert>
        )}
        <ThesisFields
          text={text}
          change={change}
          wasSubmitted={wasSubmitted}
          duplicateCode={isDuplicate ? (save.variables?.text.code.trim() ?? null) : null}
        />
        <MarkdownField
          value={text.report_markdown}
          onChange={(report_markdown) => change({ report_markdown })}
          title={text.title}
        />
      </Stack>
      <ConfirmLeave isChanged={isChanged} />
      {isConfirming && <ConfirmDiscard discard={finish} close={() => setIsConfirming(false)} />}
    </Page>
  )
}

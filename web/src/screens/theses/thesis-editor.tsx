import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/theses.ts'
import { errorMessage } from '#web/service/error-message.ts'
import type { Thesis } from '#web/service/service.ts'
import { Page } from '#web/ui/page.tsx'
import { ConfirmDiscard, ConfirmLeave } from './confirm-dialogs.tsx'
import { Conflict } from './conflict.tsx'
import { isDuplicateCode } from './duplicate-code.ts'
import { MarkdownField } from './markdown-field.tsx'
import { changedFields, merged, type ThesisText, thesisText, validateThesis } from './thesis-draft.ts'
import { ThesisFields } from './thesis-fields.tsx'
import { type ThesisDraft, useThesisDraft } from './use-thesis-draft.ts'
import { useThesisSave } from './use-thesis-save.ts'

interface ThesisEditorProps {
  thesis: Thesis
  close: () => void
}

const draftOf = (thesis: Thesis): ThesisDraft => ({
  text: thesisText(thesis),
  from: thesisText(thesis),
  updated_at: thesis.updated_at,
})

/** A thesis to be edited; what is typed is kept in this tab until it is saved. */
export function ThesisEditor({ thesis, close }: ThesisEditorProps) {
  const [kept, setKept, forget] = useThesisDraft(thesis.id)
  // What was read when editing began counts, not what is read meanwhile.
  const [began] = useState(() => draftOf(thesis))
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [mine, setMine] = useState<ThesisText | null>(null)
  const [asksToDiscard, setAsksToDiscard] = useState(false)
  const draft = kept ?? began
  const { text } = draft
  const isChanged = changedFields(text, draft.from).length > 0
  const { save, theirs } = useThesisSave(thesis.id, (saved, sent) => {
    notifications.show({ message: strings.saved })
    // What was typed while it was on its way is not saved yet.
    if (changedFields(text, sent.text).length > 0)
      setKept({ ...draftOf(saved), text: merged(text, sent.text, thesisText(saved)) })
    else forget()
  })
  useEffect(() => {
    if (save.isSuccess && kept === null) close()
  }, [save.isSuccess, kept, close])
  const change = (changed: Partial<ThesisText>) => setKept({ ...draft, text: { ...text, ...changed } })
  const finish = () => {
    forget()
    close()
  }
  const submit = (sent: ThesisDraft = draft) => {
    setWasSubmitted(true)
    if (save.isPending || Object.keys(validateThesis(sent.text)).length > 0) return
    if (changedFields(sent.text, sent.from).length === 0) return finish()
    save.mutate(sent)
  }
  const takeTheirs = (taken: Thesis) => {
    setMine(merged(text, draft.from, thesisText(taken)))
    setKept(draftOf(taken))
    save.reset()
  }
  const keepMine = (other: Thesis) => {
    const saved = thesisText(other)
    const rebased = { text: merged(text, draft.from, saved), from: saved, updated_at: other.updated_at }
    setKept(rebased)
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
            onClick={() => (isChanged ? setAsksToDiscard(true) : finish())}
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
        {theirs && <Conflict draft={draft} theirs={theirs} keepMine={keepMine} takeTheirs={takeTheirs} />}
        {mine && (
          <Alert color="blue" role="status">
            <Group justify="space-between" gap="xs">
              <Text size="sm">{strings.tookTheirs}</Text>
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
        {save.isError && !theirs && !isDuplicate && (
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
      {asksToDiscard && <ConfirmDiscard discard={finish} close={() => setAsksToDiscard(false)} />}
    </Page>
  )
}

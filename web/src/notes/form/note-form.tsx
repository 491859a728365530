import { Alert, Anchor, Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { ServiceUnreachable } from '#src/client/errors.ts'
import { MAX_NOTE_TITLE_LENGTH, NOTE_KINDS } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/notes.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import type { Note } from '#web/api/service.ts'
import { formatMomentOrClock } from '#web/format/days.ts'
import { DateTimeInput } from '#web/ui/date-input/date-time-input.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { mergedText, type NoteKind, type NoteText, noteText, validateNote } from '../note-text.ts'
import { useNoteDraft } from '../use-note-draft.ts'
import { type NoteToSave, useSaveNote } from '../use-save-note.ts'
import { AboutField } from './about-field.tsx'
import { MarkdownEditor } from './editor/markdown-editor.tsx'
import { NoteConflict } from './note-conflict.tsx'
import { ParticipantsField } from './participants-field.tsx'

interface NoteFormProps {
  /** The storage key of the draft for each kind. */
  draftKey: (kind: NoteKind) => string
  initial: NoteText
  /** The note that is edited. */
  note?: Note
  /** The note that is replied to. */
  parentId?: string
  /** Who can read the private note that this is a reply to, and so be mentioned. */
  readers?: readonly string[] | undefined
  /** A company whose people may have taken part, though the note is not about it. */
  companyId?: string | undefined
  /** Closes the form and keeps the draft. */
  close: () => void
}

const KINDS = NOTE_KINDS.map((kind) => ({ value: kind, label: strings.kinds[kind] }))

/** Writes a note, changes one, or replies to one. The draft stays until it is saved or discarded. */
export function NoteForm({ draftKey, initial, note, parentId, readers, companyId, close }: NoteFormProps) {
  const isReply = parentId !== undefined || (note !== undefined && note.parent_id !== null)
  const users = useQuery(queries.allUsers()).data ?? []
  const { data: me } = useQuery(queries.me())
  // Only the author may change who can see a note.
  const isOwn = note === undefined || note.author_email === me?.email
  // Those mentioned can read a private note.
  const mentionable = readers ?? (!isOwn && note.visibility === 'private' ? note.mentions : undefined)
  const draft = useNoteDraft(draftKey, initial, note ? { text: initial, updatedAt: note.updated_at } : null)
  const { text, change, base } = draft
  const [openedAt] = useState(() => new Date().toISOString())
  const [problems, setProblems] = useState<ReturnType<typeof validateNote> & { when?: string }>({})
  const form = useRef<HTMLFormElement>(null)
  const { save, remote, editor } = useSaveNote(() => {
    draft.clearDraft()
    close()
  })
  const submit = (sent: NoteText = text, from = base) => {
    const found = validateNote(sent, isReply)
    setProblems(found)
    if (save.isPending || Object.keys(found).length > 0) return
    const toSave: NoteToSave =
      note && from
        ? { text: sent, key: '', changed: { note, from: from.text, updatedAt: from.updatedAt } }
        : { text: sent, key: draft.keyOf(sent), parentId }
    save.mutate(toSave)
  }
  /** Continues on top of the version that someone else saved. */
  const rebase = (other: Note, take: 'mine' | 'theirs') => {
    const theirs = noteText(other, users)
    const next = take === 'theirs' || !base ? theirs : mergedText(text, base.text, theirs)
    const newBase = { text: theirs, updatedAt: other.updated_at }
    draft.rebase(next, newBase)
    save.reset()
    // The button that had the focus goes away.
    form.current?.querySelector('textarea')?.focus()
    return { next, newBase }
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      form.current?.requestSubmit()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      close()
    }
  }
  const discard = () => {
    draft.clearDraft()
    close()
  }
  const companyIds = text.about.flatMap(({ type, id }) => (type === 'company' ? [id] : []))
  const isAsking = remote !== null && base !== null
  return (
    <form
      ref={form}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        event.stopPropagation()
        submit()
      }}
      onKeyDown={press}
      noValidate
      aria-label={strings.group}
    >
      <Stack gap="sm">
        {draft.foundAt && (
          <Text size="xs" c="dimmed" role="status">
            {strings.draftFrom(formatMomentOrClock(draft.foundAt))} ·{' '}
            <Anchor component="button" type="button" size="xs" underline="always" onClick={draft.clearDraft}>
              {strings.startOver}
            </Anchor>
          </Text>
        )}
        {!isReply && (
          <SegmentedControl
            aria-label={strings.kind}
            value={text.kind}
            onChange={draft.changeKind}
            data={KINDS}
          />
        )}
        {!isReply && (
          <TextInput
            aria-label={strings.noteTitle}
            placeholder={strings.titlePlaceholder}
            maxLength={MAX_NOTE_TITLE_LENGTH}
            value={text.title}
            onChange={({ currentTarget }) => change({ title: currentTarget.value })}
            dir="auto"
          />
        )}
        <MarkdownEditor
          value={text.body}
          onChange={(body) => change({ body })}
          addMention={draft.addMention}
          mentionable={mentionable}
          placeholder={
            readers
              ? strings.privateReplyPlaceholder
              : isReply
                ? strings.replyPlaceholder
                : strings.bodyPlaceholder
          }
          minRows={isReply ? 2 : 7}
          error={problems.body ?? null}
          mentions={text.mentions.flatMap((mention) => mention.text ?? [])}
        />
        {!isReply && (
          <>
            {text.kind !== 'note' && (
              <ParticipantsField
                participants={text.participants}
                onChange={(participants) => change({ participants })}
                companyIds={companyId ? [companyId, ...companyIds] : companyIds}
              />
            )}
            <AboutField
              about={text.about}
              onChange={(about) => change({ about })}
              error={problems.about ?? null}
            />
            <Group align="flex-start" gap="md">
              <DateTimeInput
                label={strings.when}
                value={text.happenedAt ?? openedAt}
                onChange={(happenedAt) => change({ happenedAt })}
                isPast
                w={{ base: '100%', xs: 230 }}
              />
              {isOwn && (
                <Switch
                  label={strings.private}
                  description={strings.privateNotes}
                  checked={text.isPrivate}
                  onChange={({ currentTarget }) => change({ isPrivate: currentTarget.checked })}
                />
              )}
            </Group>
          </>
        )}
        {isAsking && (
          <NoteConflict
            isOwn={editor !== null && editor === me?.email}
            mine={text}
            from={base.text}
            theirs={noteText(remote, users)}
            keepMine={() => {
              const { next, newBase } = rebase(remote, 'mine')
              submit(next, newBase)
            }}
            takeTheirs={() => rebase(remote, 'theirs')}
            continueEditing={() => rebase(remote, 'mine')}
          />
        )}
        {save.isError && !isAsking && (
          <Alert color="red" role="alert" title={general.notSaved}>
            {errorMessage(save.error)} {save.error instanceof ServiceUnreachable && strings.draftIsKept}
          </Alert>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" visibleFrom="xs">
            {isReply ? strings.saveReplyHint : strings.saveHint}
          </Text>
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={discard}>
              {draft.isChanged ? strings.discard : general.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {strings.save}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

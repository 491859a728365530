import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { ServiceUnreachable } from '#src/client/errors.ts'
import { MAX_TASK_TITLE_LENGTH } from '#src/client/limits.ts'
import { strings as general } from '#strings/general.ts'
import { strings as notes } from '#strings/notes.ts'
import { strings } from '#strings/tasks.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import type { Task } from '#web/api/service.ts'
import { isEqual } from '#web/editing/record-changes.ts'
import { useDraft } from '#web/editing/use-draft.ts'
import { OwnerField } from '#web/fields/owner-field.tsx'
import { AboutField } from '#web/notes/form/about-field.tsx'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { dueDay } from './due.ts'
import { TaskConflict } from './task-conflict.tsx'
import { DueField, RepeatField } from './task-fields.tsx'
import { emptyTask, mergedText, type TaskProblems, type TaskText, textOf, validateTask } from './task-text.ts'
import { useSaveTask } from './use-save-task.ts'

interface TaskFormProps {
  /** The task to change. */
  task?: Task
  /** What a new one is about. */
  about: AboutEntry[]
  /** Whose a new one is. */
  assignee: string | null
  /** Closes the form and keeps the draft. */
  close: () => void
}

/** What is typed, and the saved version when editing began. A draft from before a reload may be based on an older one. */
interface Draft {
  text: TaskText
  base: { text: TaskText; updatedAt: string } | null
}

const isDraft = (stored: unknown): stored is Draft => {
  const { text } = (stored ?? {}) as Partial<Draft>
  return typeof text?.title === 'string' && Array.isArray(text.about) && typeof text.due === 'object'
}

/** Each record and each task has a draft of its own. */
const draftKeyOf = (task: Task | undefined, [first]: readonly AboutEntry[]): string =>
  task ? `task:${task.id}` : `task:new:${first?.id ?? ''}`

/** Adds a task, or changes one. The draft stays until it is saved or discarded. */
export function TaskForm({ task, about, assignee, close }: TaskFormProps) {
  const [initial] = useState<Draft>(() => ({
    text: task ? textOf(task) : emptyTask(about, assignee),
    base: task ? { text: textOf(task), updatedAt: task.updated_at } : null,
  }))
  const { data: me } = useQuery(queries.me())
  const [draft, setDraft, clearDraft] = useDraft<Draft>(draftKeyOf(task, about), initial, isDraft)
  const { text, base } = draft
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [problems, setProblems] = useState<TaskProblems>({})
  const discard = () => {
    clearDraft()
    close()
  }
  const { save, remote, editor } = useSaveTask(discard)
  const change = (changes: Partial<TaskText>) => {
    setDraft({ ...draft, text: { ...text, ...changes } })
    // Another text is another request.
    setKey(crypto.randomUUID())
    if (save.isError && !remote) save.reset()
  }
  const submit = (sent: TaskText = text, from = base) => {
    const found = validateTask(sent)
    setProblems(found)
    if (save.isPending || Object.keys(found).length > 0) return
    const changed = task && from && { id: task.id, from: from.text, updatedAt: from.updatedAt }
    save.mutate({ text: sent, key, ...(changed && { changed }) })
  }
  /** Continues on top of the version that someone else saved. */
  const rebase = (other: Task, take: 'mine' | 'theirs') => {
    const theirs = textOf(other)
    const next = take === 'theirs' || !base ? theirs : mergedText(text, base.text, theirs)
    const newBase = { text: theirs, updatedAt: other.updated_at }
    setDraft({ text: next, base: newBase })
    save.reset()
    return { next, newBase }
  }
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    // A field with a text that is no date holds this back.
    event.currentTarget.requestSubmit()
  }
  return (
    <form
      noValidate
      aria-label={strings.group}
      onKeyDown={press}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        event.stopPropagation()
        submit()
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={strings.name}
          placeholder={strings.namePlaceholder}
          maxLength={MAX_TASK_TITLE_LENGTH}
          value={text.title}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
          error={problems.title}
          dir="auto"
          data-autofocus
        />
        <DueField
          due={text.due}
          onChange={(due) => change({ due })}
          mayHaveTime={text.repeat !== 'unless'}
          error={problems.due ?? null}
        />
        <OwnerField
          label={strings.assignee}
          email={text.assignee}
          onChange={(email) => change({ assignee: email })}
          nobody={strings.noAssignee}
        />
        <AboutField
          about={text.about}
          onChange={(entries) => change({ about: entries })}
          error={problems.about ?? null}
        />
        <RepeatField
          repeat={text.repeat}
          unlessDays={text.unlessDays}
          onChange={(changes) =>
            change({
              ...changes,
              // Such a task has no time of day.
              ...(changes.repeat === 'unless' && { due: { due_on: dueDay(text.due), due_at: null } }),
            })
          }
          error={problems.unlessDays ?? null}
        />
        {remote && base && (
          <TaskConflict
            isOwn={editor !== null && editor === me?.email}
            mine={text}
            from={base.text}
            theirs={textOf(remote)}
            keepMine={() => {
              const { next, newBase } = rebase(remote, 'mine')
              submit(next, newBase)
            }}
            takeTheirs={() => rebase(remote, 'theirs')}
            continueEditing={() => rebase(remote, 'mine')}
          />
        )}
        {save.isError && !remote && (
          <Alert color="red" role="alert" title={general.notSaved} className="break-anywhere">
            {errorMessage(save.error)} {save.error instanceof ServiceUnreachable && notes.draftIsKept}
          </Alert>
        )}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" visibleFrom="xs">
            {strings.saveHint}
          </Text>
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={discard}>
              {isEqual(text, initial.text) ? general.cancel : strings.discard}
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

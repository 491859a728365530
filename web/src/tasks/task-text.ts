import { MAX_TASK_DAYS } from '#src/client/limits.ts'
import { strings } from '#strings/tasks.ts'
import type { NewTask, Task } from '#web/api/service.ts'
import { changedFields, pick } from '#web/editing/record-changes.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'
import type { Due } from './due.ts'

export const REPEATS = ['none', 'daily', 'weekly', 'monthly', 'quarterly', 'unless'] as const
export type Repeat = (typeof REPEATS)[number]
export const DEFAULT_UNLESS_DAYS = 30

/** A task as its form has it. */
export interface TaskText {
  title: string
  due: Due
  assignee: string | null
  about: AboutEntry[]
  /** `unless`: due after some days without contact. */
  repeat: Repeat
  unlessDays: number | null
}

export const emptyTask = (about: AboutEntry[], assignee: string | null): TaskText => ({
  ...{ title: '', due: { due_on: null, due_at: null }, assignee, about },
  ...{ repeat: 'none', unlessDays: null },
})

export const textOf = (task: Task): TaskText => ({
  title: task.title,
  due: { due_on: task.due_on, due_at: task.due_at },
  assignee: task.assignee_email,
  about: task.about,
  repeat: task.unless_contact_days === null ? (task.repeat ?? 'none') : 'unless',
  unlessDays: task.unless_contact_days,
})

/** What is sent. */
export const requestBody = ({ title, due, assignee, about, repeat, unlessDays }: TaskText) =>
  ({
    title: title.trim(),
    ...due,
    assignee_email: assignee,
    about: about.map(({ type, id }) => ({ type, id })),
    repeat: repeat === 'none' || repeat === 'unless' ? null : repeat,
    unless_contact_days: repeat === 'unless' ? unlessDays : null,
  }) satisfies NewTask

/** The changed fields, as they are sent. A date and a time replace each other. */
export function requestChanges(text: TaskText, from: TaskText): Partial<NewTask> {
  const [now, before] = [requestBody(text), requestBody(from)]
  const changed = changedFields(now, before)
  const hasDue = changed.some((field) => field === 'due_on' || field === 'due_at')
  return pick(now, hasDue ? [...new Set([...changed, 'due_on', 'due_at'] as const)] : changed)
}

/** Another version with the user's changes applied. */
export const mergedText = (mine: TaskText, from: TaskText, remote: TaskText): TaskText => ({
  ...remote,
  ...pick(mine, changedFields(mine, from)),
})

export type TaskProblems = Partial<Record<'title' | 'due' | 'about' | 'unlessDays', string>>

/** Finds what the service would reject. */
export function validateTask({ title, due, about, repeat, unlessDays }: TaskText): TaskProblems {
  const isContact = repeat === 'unless'
  const hasDue = due.due_on !== null || due.due_at !== null
  const isDaysValid = unlessDays !== null && unlessDays >= 1 && unlessDays <= MAX_TASK_DAYS
  return {
    ...(title.trim() === '' && { title: strings.nameRequired }),
    ...(repeat !== 'none' && !isContact && !hasDue && { due: strings.dueRequired }),
    ...(isContact && about.every(({ type }) => type === 'thesis') && { about: strings.unlessNeedsAbout }),
    ...(isContact && !isDaysValid && { unlessDays: strings.unlessDaysRequired(MAX_TASK_DAYS) }),
  }
}

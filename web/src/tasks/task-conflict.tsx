import { strings } from '#strings/tasks.ts'
import { changedFields } from '#web/editing/record-changes.ts'
import { RecordConflict } from '#web/editing/record-conflict.tsx'
import { aboutName } from '#web/fields/about-name.ts'
import { personName } from '#web/fields/people.ts'
import { formatDate, formatList, formatMoment, formatNumber } from '#web/format/format.ts'
import { mergedText, type TaskText } from './task-text.ts'

interface TaskConflictProps {
  /** Whether the user saved the other version, such as in another tab. */
  isOwn: boolean
  mine: TaskText
  from: TaskText
  theirs: TaskText
  keepMine: () => void
  takeTheirs: () => void
  continueEditing: () => void
}

const LABELS: Record<keyof TaskText, string> = {
  title: strings.name,
  due: strings.due,
  assignee: strings.assignee,
  about: strings.about,
  repeat: strings.repeat,
  unlessDays: strings.unlessDays,
}

function shown({ title, due, assignee, about, repeat, unlessDays }: TaskText, field: keyof TaskText): string {
  if (field === 'due') {
    if (due.due_at !== null) return formatMoment(due.due_at)
    return due.due_on === null ? '' : formatDate(due.due_on)
  }
  if (field === 'assignee') return assignee === null ? strings.noAssignee : personName(assignee)
  if (field === 'about') return formatList(about.map(aboutName))
  if (field === 'repeat') return strings.repeats[repeat]
  if (field === 'unlessDays')
    return unlessDays === null ? '' : formatNumber(unlessDays) + strings.unlessSuffix
  return title
}

/** Compares the user's task with the one that someone else saved, and lets the user choose. */
export function TaskConflict({ isOwn, mine, from, theirs, ...choices }: TaskConflictProps) {
  const merged = mergedText(mine, from, theirs)
  const differing = changedFields(merged, theirs)
  const onlyTheirs = changedFields(theirs, from).filter((field) => !differing.includes(field))
  return (
    <RecordConflict
      title={isOwn ? strings.ownConflictTitle : strings.conflictTitle}
      isOwn={isOwn}
      fields={differing.map((field) => ({
        label: LABELS[field],
        theirs: shown(theirs, field),
        mine: shown(merged, field),
      }))}
      onlyTheirs={onlyTheirs.map((field) => LABELS[field])}
      choices={[
        { label: strings.keepMine, choose: choices.keepMine },
        { label: isOwn ? strings.useSaved : strings.useTheirs, choose: choices.takeTheirs },
        { label: strings.keepEditing, choose: choices.continueEditing },
      ]}
    />
  )
}

import { strings } from '#strings/notes.ts'
import { changedFields } from '#web/editing/record-changes.ts'
import { RecordConflict } from '#web/editing/record-conflict.tsx'
import { aboutName } from '#web/fields/about-name.ts'
import { formatList, formatMoment } from '#web/format/format.ts'
import { mergedText, type NoteText } from '../note-text.ts'

interface NoteConflictProps {
  /** Whether the user saved the other version, such as in another tab. */
  isOwn: boolean
  mine: NoteText
  from: NoteText
  theirs: NoteText
  keepMine: () => void
  takeTheirs: () => void
  continueEditing: () => void
}

const LABELS: Record<keyof NoteText, string> = {
  kind: strings.kind,
  title: strings.noteTitle,
  body: strings.body,
  happenedAt: strings.when,
  about: strings.about,
  participants: strings.participants,
  mentions: strings.people,
  isPrivate: strings.private,
}

function shown(text: NoteText, field: keyof NoteText): string {
  if (field === 'kind') return strings.kinds[text.kind]
  if (field === 'happenedAt') return text.happenedAt ? formatMoment(text.happenedAt) : ''
  if (field === 'about') return formatList(text.about.map(aboutName))
  if (field === 'participants') return formatList(text.participants.map(({ name }) => name))
  if (field === 'mentions') return formatList(text.mentions.map(({ email }) => email))
  if (field === 'isPrivate') return text.isPrivate ? strings.privateHelp : strings.teamHelp
  return text[field]
}

/** Compares the user's text with the one that someone else saved, and lets the user choose. */
export function NoteConflict({ isOwn, mine, from, theirs, ...choices }: NoteConflictProps) {
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

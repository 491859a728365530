import { strings } from '#strings/theses.ts'
import type { Thesis } from '#web/api/service.ts'
import { changedFields } from '#web/editing/record-changes.ts'
import { RecordConflict } from '#web/editing/record-conflict.tsx'
import { formatWord } from '#web/format/format.ts'
import type { ThesisDraft } from '../hooks/use-thesis-draft.ts'
import { merged, type ThesisText, thesisText } from '../thesis-draft.ts'

interface ConflictProps {
  draft: ThesisDraft
  remote: Thesis
  keepMine: (remote: Thesis) => void
  takeRemote: (remote: Thesis) => void
}

const LABELS: Record<keyof ThesisText, string> = {
  code: strings.code,
  title: strings.thesisTitle,
  summary: strings.summary,
  status: strings.status,
  report_markdown: strings.report,
}

/** Compares the user's version with one that someone else saved, and lets the user choose. */
export function Conflict({ draft, remote, keepMine, takeRemote }: ConflictProps) {
  const other = thesisText(remote)
  const mine = merged(draft.text, draft.from, other)
  const differing = changedFields(mine, other)
  const onlyRemote = changedFields(other, draft.from).filter((field) => !differing.includes(field))
  const show = (text: ThesisText, field: keyof ThesisText) =>
    field === 'status' ? formatWord(text.status) : text[field]
  return (
    <RecordConflict
      title={strings.conflictTitle}
      fields={differing.map((field) => ({
        label: LABELS[field],
        theirs: show(other, field),
        mine: show(mine, field),
      }))}
      onlyTheirs={onlyRemote.map((field) => LABELS[field])}
      choices={[
        { label: strings.keepMine, choose: () => keepMine(remote) },
        { label: strings.useTheirs, choose: () => takeRemote(remote) },
      ]}
    />
  )
}

import { Alert, Button, Group, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings as matchStrings } from '#strings/matches.ts'
import { strings } from '#strings/theses.ts'
import { strings as trash } from '#strings/trash.ts'
import { History } from '#web/activity/history.tsx'
import { service, type Thesis } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { changedFields } from '#web/editing/record-changes.ts'
import { RecordFiles, useAddFiles } from '#web/files/record-files.tsx'
import { FollowButton } from '#web/follows/follow-button.tsx'
import { formatAge, formatMoment } from '#web/format/format.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { NoteKeys } from '#web/notes/note-keys.tsx'
import { RecordNotes } from '#web/notes/record-notes.tsx'
import { TaskKeys } from '#web/tasks/task-keys.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { useThesisDraft } from '../hooks/use-thesis-draft.ts'
import { thesisText } from '../thesis-draft.ts'
import { type MatchesSearch, THESIS_TABS, type ThesisTab } from '../thesis-search.ts'
import { Matches } from './matches.tsx'
import { ThesisStatus } from './thesis-card.tsx'
import { ReportColumns, ThesisReport } from './thesis-report.tsx'

const LABELS: Record<ThesisTab, string> = { report: matchStrings.report, matches: matchStrings.matches }

interface ThesisReaderProps {
  thesis: Thesis
  edit: () => void
  tab: ThesisTab
  /** Which matches are shown. */
  matches: MatchesSearch
  show: (tab: ThesisTab) => void
}

/** A thesis with its report and linked companies, or its matches. On paper, it is the report. */
export function ThesisReader({ thesis, edit, tab, matches, show }: ThesisReaderProps) {
  const { id, code, title, status, updated_at } = thesis
  const mayWrite = useCan('write')
  const mayDelete = useCan('delete')
  const [isDeleting, deletion] = useDisclosure(false)
  const about = { type: 'thesis', id, name: title } as const
  const addFiles = useAddFiles(about)
  const group = keyboard.thesis
  useActions([
    mayWrite && { id: 'edit-thesis', label: strings.editThesis, group, run: edit },
    mayDelete && { id: 'delete-thesis', label: trash.deleteThesis, group, run: deletion.open },
  ])
  const [draft, , clearDraft] = useThesisDraft(id)
  // A draft that was saved after its editor was closed is no longer a change.
  const hasDraft = draft !== null && changedFields(draft.text, thesisText(thesis)).length > 0
  return (
    <Page
      title={title}
      description={
        <Group gap="xs" component="span">
          <span className="break-anywhere">{code}</span>
          <ThesisStatus status={status} />
          <time dateTime={updated_at} title={formatMoment(updated_at)}>
            {strings.updated(formatAge(updated_at))}
          </time>
        </Group>
      }
      actions={
        <>
          <FollowButton type="thesis" id={id} />
          {mayWrite && (
            <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
              {strings.edit}
            </Button>
          )}
          {mayDelete && (
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={deletion.open}
            >
              {trash.delete}
            </Button>
          )}
        </>
      }
    >
      {mayWrite && hasDraft && (
        <Alert color="blue" role="status" title={strings.unsaved}>
          <Text size="sm">{strings.draftFound}</Text>
          <Group gap="xs" mt="xs">
            <Button size="xs" onClick={edit}>
              {strings.continueEditing}
            </Button>
            <Button size="xs" variant="default" onClick={clearDraft}>
              {strings.discard}
            </Button>
          </Group>
        </Alert>
      )}
      <NoteKeys about={about} />
      <TaskKeys about={() => about} />
      <Tabs
        {...(tab !== 'report' && { className: 'print-hidden' })}
        value={tab}
        onChange={(value) => show(THESIS_TABS.find((one) => one === value) ?? 'report')}
        keepMounted={false}
      >
        <Tabs.List aria-label={matchStrings.tabs} mb="md">
          {THESIS_TABS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {LABELS[value]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="report">
          <ReportColumns thesis={thesis} mayWrite={mayWrite} />
          <RecordNotes about={about} />
          <RecordFiles about={about} add={addFiles} />
          <div className="print-hidden">
            <History of="thesis" id={id} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="matches">
          <Matches thesis={id} search={matches} />
        </Tabs.Panel>
      </Tabs>
      {tab !== 'report' && (
        <div className="print-only">
          <ThesisReport thesis={thesis} mayWrite={false} />
        </div>
      )}
      {isDeleting && <DeleteThesis thesis={thesis} close={deletion.close} />}
    </Page>
  )
}

/** Asks before a thesis is deleted. */
function DeleteThesis({ thesis: { id, code }, close }: { thesis: Thesis; close: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const act = async (isShown: () => boolean) => {
    await service.deleteThesis({ params: { id } })
    if (isShown()) await navigate({ to: '/theses' })
    for (const resource of ['theses', 'companies', 'stats', 'activity'])
      queryClient.invalidateQueries({ queryKey: [resource] })
  }
  return (
    <ConfirmDialog
      title={trash.deleteThesisTitle(code)}
      confirm={trash.deleteThesis}
      isDangerous
      act={act}
      close={close}
    >
      {trash.deleteThesisHelp} {trash.canRestore}
    </ConfirmDialog>
  )
}

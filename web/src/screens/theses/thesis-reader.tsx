import { Alert, Button, Group, Paper, Skeleton, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileText, IconPencil, IconTrash } from '@tabler/icons-react'
import { Suspense, useRef } from 'react'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings as matchStrings } from '#strings/matches.ts'
import { strings } from '#strings/theses.ts'
import { strings as trash } from '#strings/trash.ts'
import { History } from '#web/activity/history.tsx'
import { useActions } from '#web/keyboard/actions.ts'
import type { Thesis } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, SkeletonLines } from '#web/ui/states.tsx'
import { formatAge, formatMoment } from '#web/words/format.ts'
import { DeleteThesis } from './delete-thesis.tsx'
import { LinkedCompanies } from './linked-companies.tsx'
import { TableOfContents } from './table-of-contents.tsx'
import { ThesisStatus } from './thesis-card.tsx'
import { changedFields, thesisText } from './thesis-draft.ts'
import classes from './thesis-reader.module.css'
import { type MatchesSearch, THESIS_TABS, type ThesisTab } from './thesis-search.ts'
import { useThesisDraft } from './use-thesis-draft.ts'

const Report = lazyPart(() => import('./report.tsx'))
const Matches = lazyPart(() => import('./matches.tsx'))

const LABELS: Record<ThesisTab, string> = { report: matchStrings.report, matches: matchStrings.matches }

interface ThesisReaderProps {
  thesis: Thesis
  edit: () => void
  tab: ThesisTab
  /** Which matches are shown. */
  matches: MatchesSearch
  show: (tab: ThesisTab) => void
}

/** A thesis with its report and linked companies, or its matches. */
export function ThesisReader({ thesis, edit, tab, matches, show }: ThesisReaderProps) {
  const { id, code, title, status, updated_at } = thesis
  const mayWrite = useMay('write')
  const mayDelete = useMay('delete')
  const [isDeleting, deletion] = useDisclosure(false)
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
      <Tabs
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
          <div className="print-hidden">
            <History of="thesis" id={id} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="matches">
          <Suspense fallback={<SkeletonLines lines={8} height={48} />}>
            <Matches thesis={id} search={matches} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      {isDeleting && <DeleteThesis thesis={thesis} close={deletion.close} />}
    </Page>
  )
}

function ReportColumns({ thesis, mayWrite }: { thesis: Thesis; mayWrite: boolean }) {
  const { id, title, summary, report_markdown: report } = thesis
  const article = useRef<HTMLElement>(null)
  const hasReport = report !== null && report.trim() !== ''
  return (
    <div className={`${classes.columns} print-single-column`}>
      <Paper component="article" withBorder className={classes.article} ref={article}>
        {summary && (
          <Text size="lg" c="dimmed" mb="lg" className="break-anywhere" dir="auto">
            {summary}
          </Text>
        )}
        {hasReport ? (
          <Suspense fallback={<Skeleton height={480} radius="md" />}>
            <Report markdown={report} title={title} />
          </Suspense>
        ) : (
          <EmptyState icon={<IconFileText aria-hidden />} title={strings.noReportTitle}>
            {mayWrite && strings.noReport}
          </EmptyState>
        )}
      </Paper>
      <aside className={classes.aside}>
        {hasReport && <TableOfContents article={article} />}
        <LinkedCompanies id={id} />
      </aside>
    </div>
  )
}

import { Alert, Button, Group, Paper, Skeleton, Text } from '@mantine/core'
import { IconFileText, IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'
import { strings } from '#strings/theses.ts'
import type { Thesis } from '#web/service/service.ts'
import { useMay } from '#web/service/use-may.ts'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { formatAge, formatMoment } from '#web/words/format.ts'
import { LinkedCompanies } from './linked-companies.tsx'
import { TableOfContents } from './table-of-contents.tsx'
import { ThesisStatus } from './thesis-card.tsx'
import { changedFields, thesisText } from './thesis-draft.ts'
import classes from './thesis-reader.module.css'
import { useThesisDraft } from './use-thesis-draft.ts'

const Report = lazy(() => import('./report.tsx'))

/** A thesis with its report and linked companies. */
export function ThesisReader({ thesis, edit }: { thesis: Thesis; edit: () => void }) {
  const { id, code, title, summary, status, report_markdown: report, updated_at } = thesis
  const mayWrite = useMay('write')
  const article = useRef<HTMLElement>(null)
  const [draft, , clearDraft] = useThesisDraft(id)
  // A draft that was saved after its editor was closed is no longer a change.
  const hasDraft = draft !== null && changedFields(draft.text, thesisText(thesis)).length > 0
  const hasReport = report !== null && report.trim() !== ''
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
        mayWrite && (
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
            {strings.edit}
          </Button>
        )
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
      <div className={classes.columns}>
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
    </Page>
  )
}

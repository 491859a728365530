import { Paper, Text } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { type RefObject, useRef } from 'react'
import { strings } from '#strings/theses.ts'
import type { Thesis } from '#web/api/service.ts'
import Markdown from '#web/ui/markdown/markdown.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { LinkedCompanies } from './linked-companies.tsx'
import { TableOfContents } from './table-of-contents.tsx'
import classes from './thesis-reader.module.css'

const hasReport = ({ report_markdown: report }: Thesis): boolean => report !== null && report.trim() !== ''

/** The report with its contents and the linked companies beside it. */
export function ReportColumns({ thesis, mayWrite }: { thesis: Thesis; mayWrite: boolean }) {
  const article = useRef<HTMLElement>(null)
  return (
    <div className={`${classes.columns} print-single-column`}>
      <ThesisReport thesis={thesis} mayWrite={mayWrite} article={article} />
      <aside className={classes.aside}>
        {hasReport(thesis) && <TableOfContents article={article} />}
        <LinkedCompanies id={thesis.id} />
      </aside>
    </div>
  )
}

interface ThesisReportProps {
  thesis: Thesis
  mayWrite: boolean
  article?: RefObject<HTMLElement | null>
}

/** The summary and the report. */
export function ThesisReport({ thesis, mayWrite, article }: ThesisReportProps) {
  const { title, summary, report_markdown: report } = thesis
  return (
    <Paper component="article" withBorder className={classes.article} ref={article}>
      {summary && (
        <Text size="lg" c="dimmed" mb="lg" className="break-anywhere" dir="auto">
          {summary}
        </Text>
      )}
      {hasReport(thesis) ? (
        <Markdown markdown={report ?? ''} title={title} hasAnchors />
      ) : (
        <EmptyState icon={<IconFileText aria-hidden />} title={strings.noReportTitle}>
          {mayWrite && strings.noReport}
        </EmptyState>
      )}
    </Paper>
  )
}

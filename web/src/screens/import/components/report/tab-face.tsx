import { Text, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { strings } from '#strings/import-report.ts'
import { formatNumber } from '#web/format/format.ts'
import type { ImportReport } from './report.ts'
import classes from './report-panels.module.css'
import type { ReportTab } from './report-tabs.ts'

interface TabFaceProps {
  tab: ReportTab
  count: number
  report: ImportReport
  /** The number of questions without an answer; null after the import. */
  open: number | null
}

/** The count and the label of a tab. Of questions, it counts those that are open. */
export function TabFace({ tab, count, report, open }: TabFaceProps) {
  const isAnswered = tab === 'questions' && open === 0
  const isPart = tab === 'questions' && open !== null && open > 0 && open < count
  const isRestored = tab === 'trashed' && report.restored > 0
  return (
    <>
      <Text span className={classes.count}>
        {isAnswered && <IconCheck size={18} aria-hidden className={classes.check} />}
        {formatNumber(isPart ? open : count)}
        {isPart && <span className={classes.total}> {strings.ofTotal(count)}</span>}
      </Text>
      <Text span className={classes.label}>
        {isPart ? strings.openQuestions : isRestored ? strings.restored : strings.tabs[tab]}
        {isAnswered && <VisuallyHidden> {strings.answered}</VisuallyHidden>}
      </Text>
    </>
  )
}

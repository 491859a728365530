import { Alert, Group, Paper, Stack, Tabs, Text, Title, VisuallyHidden } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { CustomField } from '#src/client/client.ts'
import { strings as types } from '#strings/fields.ts'
import { strings as general } from '#strings/import.ts'
import { strings } from '#strings/import-report.ts'
import { formatNumber } from '#web/format/format.ts'
import { countOpenQuestions } from '../../decisions.ts'
import type { Editing } from '../../editing.ts'
import { REPORT_ID } from '../../sections.ts'
import { useFieldWords } from './field-words.ts'
import type { ImportReport } from './report.ts'
import { ReportPanel } from './report-panel.tsx'
import classes from './report-panels.module.css'
import { REPORT_TABS, type ReportTab, tabCounts } from './report-tabs.ts'

/** Tabs that ask for attention. */
const COLORS: Partial<Record<ReportTab, string>> = { questions: 'yellow', cells: 'yellow', errors: 'red' }

interface ReportPanelsProps {
  title: string
  /** With all lists. */
  report: ImportReport
  fileName: string
  /** Before the import, what its lists can change. */
  editing?: Editing
  /** The open list, if others choose it too; null: the first one. */
  tab?: ReportTab | null
  chooseTab?: (tab: ReportTab | null) => void
}

/** The result of an import, or a preview of it: the number of rows of each outcome, and the rows. */
export function ReportPanels({ title, report, fileName, editing, tab, chooseTab }: ReportPanelsProps) {
  const words = useFieldWords(report.new_fields, report.type ?? 'company')
  const counts = tabCounts(report, editing?.settings.edits)
  const [chosen, choose] = useUncontrolled({ value: tab, defaultValue: null, onChange: chooseTab })
  // The open tab stays, even if the last of its rows has gone.
  const tabs = REPORT_TABS.filter((tab) => counts.has(tab) || tab === chosen)
  const open = chosen ?? tabs.find((tab) => counts.get(tab) !== 0) ?? 'created'
  const openQuestions = editing ? countOpenQuestions(report, editing.settings.decisions) : null
  const countOf = (tab: ReportTab) => counts.get(tab) ?? 0
  const colorOf = (tab: ReportTab) =>
    (tab === 'questions' ? (openQuestions ?? 0) : countOf(tab)) > 0 ? COLORS[tab] : undefined
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            {title}
          </Title>
        </Group>
        {report.stopped_at_row !== null && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            {strings.stoppedAtRow(report.stopped_at_row)}
          </Alert>
        )}
        <NewFields fields={report.new_fields} />
        <Tabs
          {...(editing && { id: REPORT_ID })}
          value={open}
          onChange={(value) => choose(REPORT_TABS.find((tab) => tab === value) ?? null)}
          keepMounted={false}
          variant="cards"
        >
          <Tabs.List className={classes.list} aria-label={title}>
            {tabs.map((tab) => (
              <Tabs.Tab key={tab} value={tab} className={classes.tab} data-color={colorOf(tab)}>
                <TabFace tab={tab} count={countOf(tab)} report={report} open={openQuestions} />
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={open} pt="md">
            <ReportPanel
              key={open}
              tab={open}
              report={report}
              fileName={fileName}
              words={words}
              editing={editing}
            />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Paper>
  )
}

const MAX_SHOWN_OPTIONS = 8

/** The fields that an import creates. */
function NewFields({ fields }: { fields: readonly CustomField[] }) {
  if (fields.length === 0) return null
  return (
    <Stack gap={4}>
      <Title order={3} size="h5">
        {general.newFields(fields.length)}
      </Title>
      <Stack component="ul" gap={2} m={0} ps="md" fz="sm">
        {fields.map((field) => (
          <li key={field.key} className="break-anywhere">
            <Text span inherit fw={500}>
              <bdi>{field.label}</bdi>
            </Text>
            {`: ${types.types[field.type]}`}
            {field.options.length > 0 && ` (${optionsOf(field)})`}
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

function optionsOf({ options }: CustomField): string {
  const shown = options.slice(0, MAX_SHOWN_OPTIONS).map(({ label }) => label)
  const hidden = options.length - shown.length
  return hidden > 0 ? general.moreOptions(shown.join(', '), hidden) : shown.join(', ')
}

interface TabFaceProps {
  tab: ReportTab
  count: number
  report: ImportReport
  /** The number of questions without an answer; null after the import. */
  open: number | null
}

/** The count and the label of a tab. Of questions, it counts those that are open. */
function TabFace({ tab, count, report, open }: TabFaceProps) {
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

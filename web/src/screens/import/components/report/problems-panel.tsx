import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { strings } from '#strings/import-report.ts'
import { formatList } from '#web/format/format.ts'
import type { Editing } from '../../editing.ts'
import { editOf, isExcluded } from '../../edits.ts'
import { useKept } from '../../hooks/use-kept.ts'
import { goToFormat } from '../../sections.ts'
import type { FieldWords } from './field-words.ts'
import { ProblemItem } from './problem-item.tsx'
import { groupProblems, keyOfProblem, type Problem, type ProblemGroup } from './problems.ts'
import type { ImportReport } from './report.ts'
import { ReportList } from './report-list.tsx'
import { RowList } from './row-list.tsx'

const INITIAL_PROBLEMS = 5
const PAGE_SIZE = 50

interface ProblemsPanelProps {
  help: ReactNode
  problems: readonly Problem[]
  /** Cells that were left blank or changed, counted by kind. */
  warnings?: ImportReport['warnings']
  omitted: number
  controls?: ReactNode
  save: () => void
  words: FieldWords
  editing?: Editing | undefined
  /** The columns whose formats ask for an answer, which may repair many cells at once. */
  openColumns?: readonly string[]
}

/** The problems of cells and rows, grouped by kind. Before the import, cells can be edited and rows left out. */
export function ProblemsPanel({
  help,
  problems,
  warnings,
  omitted,
  controls,
  save,
  words,
  editing,
  openColumns = [],
}: ProblemsPanelProps) {
  const edits = editing?.settings.edits
  const kept = useKept(
    problems,
    keyOfProblem,
    ({ row, column, name, value }) =>
      edits !== undefined &&
      (isExcluded(edits, row) ||
        (column !== null && editOf(edits, { row, column, name, value }) !== undefined)),
  )
  const current = new Map(problems.map((problem) => [keyOfProblem(problem), problem.message]))
  return (
    <ReportList
      items={groupProblems(kept, warnings)}
      omitted={omitted}
      help={help}
      controls={controls}
      save={save}
    >
      {(groups) => (
        <Stack gap="lg">
          {groups.map((group) => (
            <ProblemKind
              key={`${group.column} ${group.message}`}
              group={group}
              current={current}
              words={words}
              editing={editing}
              isOpen={group.column !== null && openColumns.includes(group.column)}
            />
          ))}
        </Stack>
      )}
    </ReportList>
  )
}

interface ProblemKindProps {
  group: ProblemGroup
  /** The present message of the report about each cell. */
  current: ReadonlyMap<string, string>
  words: FieldWords
  editing: Editing | undefined
  /** Whether the format of the column asks for an answer. */
  isOpen: boolean
}

function ProblemKind({ group, current, words, editing, isOpen }: ProblemKindProps) {
  const [shown, setShown] = useState(INITIAL_PROBLEMS)
  const { column, message, count, problems, examples } = group
  const remaining = problems.length - shown
  const said = words.messageOf(message)
  return (
    <Stack gap={6} component="section" aria-label={column === null ? said : `${column}: ${said}`}>
      <Stack gap={0}>
        <Title order={3} size="h5" className="break-anywhere">
          {column === null ? strings.rowsOf(count) : strings.cellsOf(column, count)}
        </Title>
        <Text size="sm" className="break-anywhere" dir="auto">
          {said}
        </Text>
        {examples.length > 0 && (
          <Text size="sm" c="dimmed" className="break-anywhere">
            {(count > examples.length ? strings.suchAs : formatList)(
              examples.map(({ row, value }) => strings.example(value, row)),
            )}
          </Text>
        )}
        {isOpen && column !== null && (
          <Anchor component="button" type="button" size="sm" ta="start" onClick={() => goToFormat(column)}>
            {strings.answerColumn}
          </Anchor>
        )}
      </Stack>
      {problems.length > 0 && (
        <RowList label={column ?? said}>
          {problems.slice(0, shown).map((problem) => (
            <ProblemItem
              key={keyOfProblem(problem)}
              problem={problem}
              message={current.get(keyOfProblem(problem))}
              words={words}
              editing={editing}
            />
          ))}
        </RowList>
      )}
      {remaining > 0 && (
        <Group>
          <Button size="compact-sm" variant="subtle" onClick={() => setShown(shown + PAGE_SIZE)}>
            {strings.showMore(Math.min(remaining, PAGE_SIZE))}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

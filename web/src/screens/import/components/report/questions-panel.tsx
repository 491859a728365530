import { Group, List, Stack, Text, Title } from '@mantine/core'
import { strings } from '#strings/import-report.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { commonDecision, DECISIONS, type Decisions, decide, decideAll, decisionOf } from '../../decisions.ts'
import type { Editing } from '../../editing.ts'
import { AnsweredMark } from './answered-mark.tsx'
import { QuestionItem } from './question-item.tsx'
import type { Decision, ImportReport, Question, QuestionKind } from './report.ts'
import { ReportList } from './report-list.tsx'

const KINDS = ['website', 'name', 'ambiguous'] as const satisfies readonly QuestionKind[]

interface QuestionsPanelProps {
  report: ImportReport
  save: () => void
  editing?: Editing | undefined
}

/** Rows that may be about a company of another name, city, or website. One decision settles all of a kind. */
export function QuestionsPanel({
  report: { questions, questions_omitted },
  save,
  editing,
}: QuestionsPanelProps) {
  const isComplete = questions_omitted === 0
  const kinds = KINDS.filter((kind) => questions.some((question) => question.kind === kind))
  const decisions = editing?.settings.decisions
  const change = (update: (decisions: Decisions) => Decisions) =>
    editing?.change((settings) => ({ ...settings, decisions: update(settings.decisions) }))
  return (
    <Stack gap="lg">
      {decisions && (
        <List size="sm" c="dimmed" spacing={2}>
          {DECISIONS.map((decision) => (
            <List.Item key={decision}>
              <Text span inherit fw={600}>
                {strings.decisions[decision]}
              </Text>
              {strings.decisionHelp[decision]}
            </List.Item>
          ))}
        </List>
      )}
      {decisions && !isComplete && (
        <DecisionControl
          label={strings.forAllRows(questions.length + questions_omitted)}
          value={decisions.all}
          choose={(decision) => change(() => decideAll(decision))}
        />
      )}
      {kinds.map((kind) => {
        const own = questions.filter((question) => question.kind === kind)
        return (
          <QuestionsOfKind
            key={kind}
            kind={kind}
            questions={own}
            save={kind === kinds[0] ? save : undefined}
            decisions={decisions}
            decideFor={(some, decision) => change((before) => decide(before, some, decision))}
          />
        )
      })}
      {!isComplete && (
        <Text size="sm" c="dimmed">
          {strings.omitted(questions_omitted)}
        </Text>
      )}
    </Stack>
  )
}

interface QuestionsOfKindProps {
  kind: QuestionKind
  questions: readonly Question[]
  save: (() => void) | undefined
  /** undefined after the import. */
  decisions: Decisions | undefined
  decideFor: (questions: readonly Question[], decision: Decision) => void
}

function QuestionsOfKind({ kind, questions, save, decisions, decideFor }: QuestionsOfKindProps) {
  const isAnswered =
    decisions !== undefined && questions.every((question) => decisionOf(decisions, question) !== null)
  return (
    <Stack gap="xs" component="section" aria-label={strings.questionKinds[kind]}>
      <Title order={3} size="h5">
        {strings.countedKind(strings.questionKinds[kind], questions.length)}
        {isAnswered && <AnsweredMark />}
      </Title>
      <ReportList
        items={questions}
        help={strings.questionHelp[kind]}
        save={save}
        controls={
          decisions &&
          questions.length > 1 && (
            <DecisionControl
              label={strings.forAllOfKind(questions.length)}
              value={commonDecision(decisions, questions)}
              choose={(decision) => decideFor(questions, decision)}
            />
          )
        }
      >
        {(shown) => (
          <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
            {shown.map((question) => (
              <QuestionItem
                key={question.row}
                question={question}
                decisions={decisions}
                choose={(decision) => decideFor([question], decision)}
              />
            ))}
          </Stack>
        )}
      </ReportList>
    </Stack>
  )
}

interface DecisionControlProps {
  label: string
  /** null: not the same for all. */
  value: Decision | null
  choose: (decision: Decision) => void
}

function DecisionControl({ label, value, choose }: DecisionControlProps) {
  return (
    <Group gap="sm">
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <SegmentedControl<Decision | 'mixed'>
        aria-label={label}
        size="xs"
        value={value ?? 'mixed'}
        onChange={(decision) => decision !== 'mixed' && choose(decision)}
        data={DECISIONS.map((decision) => ({ value: decision, label: strings.decisions[decision] }))}
      />
    </Group>
  )
}

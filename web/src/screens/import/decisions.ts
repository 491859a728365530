import type { Decision, ImportReport, Question } from './components/report/report.ts'

/** The user's decisions about rows in conflict. Undecided rows are kept apart, and stay open questions. */
export interface Decisions {
  /** For all rows, except for those below; null: nothing is decided for all. */
  all: Decision | null
  rows: Readonly<Record<number, Decision>>
}

export const UNDECIDED: Decisions = { all: null, rows: {} }

export const DECISIONS = ['keep_apart', 'update', 'skip'] as const satisfies readonly Decision[]

/** The decision about a row; null if it is open. */
export const decisionOf = ({ all, rows }: Decisions, { row }: { row: number }): Decision | null =>
  rows[row] ?? all

/** The common decision of several questions; null if they differ, or one of them is open. */
export function commonDecision(decisions: Decisions, questions: readonly Question[]): Decision | null {
  const input = new Set(questions.map((question) => decisionOf(decisions, question)))
  return input.size === 1 ? ([...input][0] ?? null) : null
}

/** Decides all rows in conflict, including those that the report does not list. */
export const decideAll = (decision: Decision): Decisions => ({ all: decision, rows: {} })

/** Decides some rows, and never others, such as those that the report does not list. */
export const decide = (
  { all, rows }: Decisions,
  questions: readonly Question[],
  decision: Decision,
): Decisions => ({
  all,
  rows: { ...rows, ...Object.fromEntries(questions.map(({ row }) => [row, decision])) },
})

/** The number of questions without an answer. */
export function countOpenQuestions(
  { questions, questions_omitted }: Pick<ImportReport, 'questions' | 'questions_omitted'>,
  decisions: Decisions,
): number {
  const listed = questions.filter((question) => decisionOf(decisions, question) === null)
  return listed.length + (decisions.all === null ? questions_omitted : 0)
}

/** The decisions as the service takes them: one for all, and those for rows that differ from it. */
export function sentDecisions({ all, rows }: Decisions): {
  onConflict: Decision
  conflicts: { row: number; decision: Decision }[]
} {
  const onConflict = all ?? 'keep_apart'
  const conflicts = Object.entries(rows).map(([row, decision]) => ({ row: Number(row), decision }))
  return { onConflict, conflicts: conflicts.filter(({ decision }) => decision !== onConflict) }
}

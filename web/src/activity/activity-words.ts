import { strings } from '#strings/activity.ts'
import type { Activity } from '#web/service/service.ts'
import { formatNumber, formatWord } from '#web/words/format.ts'

type Metadata = Activity['metadata']

const MOST_FIELDS = 4
const lists = new Intl.ListFormat(undefined, { type: 'conjunction' })

const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const wordIn = (value: unknown): string | null => (typeof value === 'string' && value ? value : null)

const fieldWord = (field: string): string => strings.fields[field] ?? field.replaceAll('_', ' ')

/** The names in a list such as `fields`, as people say them; null: there are none. */
function fieldsIn(value: unknown): string | null {
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
  // `country` and `country_code` are one word.
  const words = [...new Set(names.map(fieldWord))]
  if (words.length === 0) return null
  const shown = words.slice(0, words.length > MOST_FIELDS ? MOST_FIELDS - 1 : MOST_FIELDS)
  const left = words.length - shown.length
  return lists.format(left > 0 ? [...shown, strings.moreFields(formatNumber(left))] : shown)
}

function scoreIn({ score, previous_score }: Metadata): string {
  const now = numberIn(score)
  const before = numberIn(previous_score)
  if (now === null) return ''
  if (before === null) return strings.score(formatNumber(now))
  if (before === now) return strings.scoreSame(formatNumber(now))
  const tell = now > before ? strings.scoreUp : strings.scoreDown
  return tell(formatNumber(now), formatNumber(before))
}

/** Counts that are worth telling: those above zero. */
function countsIn(counts: [value: unknown, tell: (count: string) => string][]): string {
  const told = counts.flatMap(([value, tell]) => {
    const count = numberIn(value)
    return count ? [tell(formatNumber(count))] : []
  })
  return told.join(', ')
}

const stageIn = (value: unknown): string => {
  const stage = wordIn(value)
  return stage ? formatWord(stage) : strings.unknownStage
}

/** The plain words that a record's sentence may need, by the name of their slot. */
export function wordsOf({ activity_type, metadata }: Activity): Record<string, string> {
  const outcome = countsIn([
    [metadata.processed_companies, strings.done],
    [metadata.failed_companies, strings.failed],
  ])
  const filled = fieldsIn(metadata.fields)
  const total = numberIn(metadata.total_companies)
  return {
    type: formatWord(activity_type),
    fields: filled ?? strings.details,
    filled: filled ? strings.filled(filled) : '',
    score: scoreIn(metadata),
    from: stageIn(metadata.from),
    to: stageIn(metadata.to),
    stage: wordIn(metadata.stage) ? strings.atStage(stageIn(metadata.stage)) : '',
    counts:
      countsIn([
        [metadata.created, strings.added],
        [metadata.updated, strings.changed],
        [metadata.unchanged, strings.unchanged],
        [metadata.failed, strings.failed],
      ]) || strings.unchanged(formatNumber(0)),
    outcome: outcome && `: ${outcome}`,
    size: total === null ? '' : strings.ofCompanies(total, formatNumber(total)),
  }
}

import { strings } from '#strings/filters.ts'
import { formatDate, formatMoment, formatNumber, formatWord } from '#web/format/format.ts'
import { readChoice } from './facet-choice.ts'
import {
  type Comparison,
  comparisonLabel,
  type FieldKind,
  kindOf,
  parsePeriod,
  readCondition,
  valueShape,
} from './operators.ts'
import { type Filter, groupOf, isLeaf, negatedOf } from './tree.ts'
import type { FieldMap } from './use-fields.ts'

/** At most this many values are named. */
const MAX_NAMED = 3

export interface Names {
  fields: FieldMap
  /** The readable form of a value of a choice, such as the name of a country. */
  nameOf: (field: string, value: string) => string
}

/** The label of a field. */
export const fieldLabel = (name: string, fields: FieldMap): string =>
  fields.get(name)?.label ?? formatWord(name.replace(/^custom\./, ''))

/** A part of a filter as a fragment of a sentence: "Country is Germany or France". */
export function describePart(part: Filter, names: Names): string {
  const either = describeChoice(part, names)
  if (either) return either
  const condition = readCondition(part, names.fields)
  if (condition) {
    const known = names.fields.get(condition.field)
    const kind = known ? kindOf(known) : 'choice'
    const { field, comparison, value } = condition
    if (field === 'id' && Array.isArray(value))
      return strings.sentence(
        strings.record,
        comparisonLabel('choice', comparison),
        strings.chosen(value.length),
      )
    return strings.sentence(
      fieldLabel(field, names.fields),
      ...comparisonWords(kind, comparison, value, (one) => valueWords(field, one, kind, names)),
    )
  }
  const negated = negatedOf(part)
  if (negated) return strings.not(describePart(negated, names))
  const parts = groupOf(part, 'and') ?? groupOf(part, 'or')
  if (!parts || parts.length === 0) return strings.unreadablePart
  const words = parts.map((inner) => {
    const text = describePart(inner, names)
    return isLeaf(inner) || negatedOf(inner) ? text : strings.inParentheses(text)
  })
  return groupOf(part, 'and') ? strings.both(words) : strings.either(words)
}

/** A choice of a facet that includes records without a value: "Owner is Ada or empty". */
function describeChoice(part: Filter, { fields, nameOf }: Names): string | undefined {
  const first = groupOf(part, 'or')?.[0]
  const choice = isLeaf(first) ? readChoice(part, first.field) : undefined
  if (!isLeaf(first) || !choice?.isEmptyChosen || choice.values.length === 0) return undefined
  const labels = named(choice.values.map((value) => nameOf(first.field, value)))
  return strings.sentence(
    fieldLabel(first.field, fields),
    comparisonLabel('choice', 'in'),
    strings.either([...labels, strings.empty]),
  )
}

function comparisonWords(
  kind: FieldKind,
  comparison: Comparison,
  value: unknown,
  words: (value: unknown) => string,
): [operator: string, value: string] {
  const label = comparisonLabel(kind, comparison)
  switch (valueShape(comparison)) {
    case 'none':
      return [label, '']
    case 'several':
      return [label, strings.either(named([value].flat().map(words)))]
    case 'range':
      return [label, strings.both([value].flat().map(words))]
    case 'period': {
      const period = parsePeriod(value)
      if (!period) return [label, words(value)]
      const { count, unit } = period
      return comparison === 'ago'
        ? [comparisonLabel(kind, 'lt'), strings.ago(count, unit)]
        : [label, strings.period(count, unit)]
    }
    default:
      return [(kind === 'date' && relativeDayLabel(comparison, value)) || label, words(value)]
  }
}

/** The words for a comparison with a day such as today, if they differ from those with a date. */
function relativeDayLabel(comparison: Comparison, value: unknown): string | undefined {
  const period = parsePeriod(value)
  if (comparison === 'gt') return period?.isPast === false ? strings.beforeRelativeDay.gt : undefined
  if (comparison !== 'eq' && comparison !== 'ne') return undefined
  return period || value === 'today' ? strings.beforeRelativeDay[comparison] : undefined
}

const named = (labels: readonly string[]): string[] =>
  labels.length <= MAX_NAMED + 1
    ? [...labels]
    : [...labels.slice(0, MAX_NAMED), strings.more(labels.length - MAX_NAMED)]

function valueWords(field: string, value: unknown, kind: FieldKind, { nameOf }: Names): string {
  if (typeof value === 'boolean') return value ? strings.yes : strings.no
  if (typeof value === 'number') return field === 'founded_year' ? String(value) : formatNumber(value)
  const text = String(value ?? '')
  if (kind === 'date') return dateWords(text)
  return kind === 'choice' || kind === 'text' ? nameOf(field, text) : text
}

/** A date of a filter in words: `today`, `30 days ago`, or a day. */
export function dateWords(text: string): string {
  if (text === 'today') return strings.today
  const period = parsePeriod(text)
  if (period) return (period.isPast ? strings.ago : strings.ahead)(period.count, period.unit)
  if (Number.isNaN(Date.parse(text))) return text
  return text.includes('T') ? formatMoment(text) : formatDate(text)
}

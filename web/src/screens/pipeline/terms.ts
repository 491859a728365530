import { MAX_LOST_REASON_LENGTH, MAX_ROUND_LENGTH, MAX_SOURCE_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import type { Deal } from '#web/api/service.ts'
import { type EditedField, toText, toValue } from '#web/fields/custom-values.ts'
import type { DealChanges } from './deal-cache.ts'

const TERM_KEYS = [
  'amount_eur',
  'round',
  'expected_close_on',
  'valuation_eur',
  'ownership_percent',
  'source',
  'lost_reason',
] as const
type TermKey = (typeof TERM_KEYS)[number]

/** A field of a deal besides stage, status, probability, owner, and notes: a built-in one or a custom one. */
export interface Term extends EditedField {
  isCustom: boolean
  required: boolean
  maxLength?: number
}

const term = (key: TermKey, type: EditedField['type'], maxLength?: number): Term => ({
  key,
  label: strings.terms[key],
  type,
  options: [],
  currency: type === 'money' ? 'EUR' : null,
  isCustom: false,
  required: false,
  ...(maxLength && { maxLength }),
})

/** The built-in terms, in the order of forms. */
export const TERMS: readonly Term[] = [
  term('amount_eur', 'money'),
  term('round', 'text', MAX_ROUND_LENGTH),
  term('expected_close_on', 'date'),
  term('valuation_eur', 'money'),
  term('ownership_percent', 'number'),
  term('source', 'text', MAX_SOURCE_LENGTH),
]

export const LOST_REASON: Term = term('lost_reason', 'long_text', MAX_LOST_REASON_LENGTH)

/** The value of a term. */
export const valueOfTerm = (deal: Pick<Deal, TermKey | 'custom'>, { isCustom, key }: Term): unknown =>
  isCustom ? deal.custom[key] : deal[key as TermKey]

/** The change that gives a term the value of a text. */
export function termChange(of: Term, text: string): DealChanges {
  const value = toValue(of, text)
  return of.isCustom ? { custom: { [of.key]: value } } : { [of.key]: value }
}

/** The problem with a text that can be found without the service, or null. */
export const checkTerm = ({ maxLength, type }: Term, text: string): string | null => {
  if (maxLength && text.trim().length > maxLength) return strings.tooLong(maxLength)
  const isNumber = type === 'number' || type === 'money'
  return isNumber && text.trim() !== '' && !Number.isFinite(Number(text)) ? strings.notANumber : null
}

/** A message of the service with the label of the term in place of its name. */
export const withTermLabel = ({ key, label, isCustom }: Term, message: string): string =>
  isCustom ? message : message.replace(new RegExp(`^${key}\\b`), label).replace(/ or null(?=, not )/, '')

/** The text of a term for its input. */
export const textOfTerm = (deal: Pick<Deal, TermKey | 'custom'>, of: Term): string =>
  toText(valueOfTerm(deal, of))

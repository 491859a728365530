import type { CustomFieldEntity } from '#src/client/client.ts'
import { strings } from '#strings/activity.ts'
import type { Activity } from '#web/api/service.ts'
import { formatList } from '#web/format/format.ts'
import { formatValue, isEmptyValue } from './field-value.ts'
import { fieldName, fieldsOfEntity } from './sentence-slots.ts'

const MAX_CHANGES = 2
const MAX_VALUE_LENGTH = 60
/** A country has a code and a name, and a source has a type and an id. Which field says the rest, by field. */
const FULLER_FIELDS: Record<string, string> = { country: 'country_code', source_type: 'source_id' }
/** Sentences that users write, which would run into ours. */
const QUOTED = new Set(['notes', 'lost_reason', 'activity_description'])

/**
 * The change of a record as a phrase, such as `changed status from Active to Inactive and set city to Oslo`; null if
 * that is too long for a sentence.
 */
export function changePhrases({ changes, entity_type }: Activity): string | null {
  const of = fieldsOfEntity(entity_type)
  const fields = Object.keys(changes ?? {}).filter((field) => !changes?.[FULLER_FIELDS[field] ?? ''])
  const phrases = fields.map((field) => changes?.[field] && phraseOf(field, of, changes[field]))
  const isShort = phrases.length > 0 && phrases.length <= MAX_CHANGES && phrases.every(Boolean)
  return isShort ? formatList(phrases as string[]) : null
}

function phraseOf(
  field: string,
  of: CustomFieldEntity,
  { from, to, truncated }: { from: unknown; to: unknown; truncated?: boolean },
) {
  if (truncated || !isShortValue(from) || !isShortValue(to)) return null
  const name = fieldName(field, of)
  const [before, after] = [textOf(field, from, of), textOf(field, to, of)]
  // A person or company whose name this tab does not know.
  if (field === 'source_id' && [from, to].some(isRecordId)) return null
  // A thesis whose code this tab does not know.
  if (field === 'thesis_id' && [before, after].some((text) => text === from || text === to)) return null
  if (isEmptyValue(from)) return strings.setTo(name, after)
  return isEmptyValue(to) ? strings.cleared(name, before) : strings.changedTo(name, before, after)
}

function textOf(field: string, value: unknown, of: CustomFieldEntity): string {
  const text = formatValue(field, value, of)
  return QUOTED.has(field) ? strings.quoted(text) : text
}

const isRecordId = (value: unknown): boolean => /^(?:per|cmp)_/.test(String(value))

const isShortValue = (value: unknown): boolean =>
  isEmptyValue(value) ||
  ['number', 'boolean'].includes(typeof value) ||
  (typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && !value.includes('\n'))

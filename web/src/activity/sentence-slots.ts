import type { CustomFieldEntity } from '#src/client/client.ts'
import { strings } from '#strings/activity.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { Activity, CompanyLink } from '#web/api/service.ts'
import { isEqual } from '#web/editing/record-changes.ts'
import { cachedCustomField } from '#web/fields/cached-custom-field.ts'
import { cachedCompanyName } from '#web/fields/company-cache.ts'
import { formatList, formatNumber, formatWord } from '#web/format/format.ts'

type Metadata = Activity['metadata']

/** The records whose custom fields an entry names. */
export const fieldsOfEntity = (entity: string): CustomFieldEntity =>
  entity === 'dealflow' ? 'deal' : entity === 'person' ? 'person' : 'company'

const MAX_FIELDS = 4
/** Begins the name of the link of a person to a company. */
export const LINK_PREFIX = 'companies.'

const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const asText = (value: unknown): string | null => (typeof value === 'string' && value ? value : null)

/**
 * The name of a field in a sentence: its label if it is a custom field whose label this tab has loaded.
 * @param of the records that have it
 */
export const fieldName = (field: string, of: CustomFieldEntity): string =>
  strings.fields[field] ??
  cachedCustomField(field, of)?.label ??
  linkName(field) ??
  strings.fields[field.replace(/^(about|participants)\..*/, '$1')] ??
  field.replace(/^custom\./, '').replaceAll('_', ' ')

/** The name of the link of a person to a company. */
function linkName(field: string): string | undefined {
  if (!field.startsWith(LINK_PREFIX)) return undefined
  const company = cachedCompanyName(queryClient, field.slice(LINK_PREFIX.length))
  return company === undefined ? strings.linkedCompany : strings.linkTo(company)
}

/** A list of field names as text, or null if it is empty. */
export function fieldNames(value: unknown, of: CustomFieldEntity): string | null {
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
  // `country` and `country_code` have the same name.
  const words = [...new Set(names.map((name) => fieldName(name, of)))]
  if (words.length === 0) return null
  const shown = words.slice(0, words.length > MAX_FIELDS ? MAX_FIELDS - 1 : MAX_FIELDS)
  const hidden = words.length - shown.length
  return formatList(hidden > 0 ? [...shown, strings.moreFields(formatNumber(hidden))] : shown)
}

function formatScore({ score, previous_score }: Metadata): string {
  const now = asNumber(score)
  const before = asNumber(previous_score)
  if (now === null) return ''
  if (before === null) return strings.score(formatNumber(now))
  if (before === now) return strings.scoreSame(formatNumber(now))
  const format = now > before ? strings.scoreUp : strings.scoreDown
  return format(formatNumber(now), formatNumber(before))
}

/** Joins the counts above zero. */
function formatCounts(counts: [value: unknown, format: (count: string) => string][]): string {
  const texts = counts.flatMap(([value, format]) => {
    const count = asNumber(value)
    return count ? [format(formatNumber(count))] : []
  })
  return texts.join(', ')
}

const formatStage = (value: unknown): string => {
  const stage = asText(value)
  return stage ? formatWord(stage) : strings.unknownStage
}

/** The fields that a change of a person's link to a company changed. */
function changedLinkFields({ activity_type, changes, company_id }: Activity): string[] {
  const { from, to } = changes?.[LINK_PREFIX + company_id] ?? {}
  if (activity_type !== 'person_link_updated' || !from || !to) return []
  const [before, after] = [from, to] as Partial<CompanyLink>[]
  return (['role', 'from', 'until', 'is_primary'] as const).filter(
    (name) => !isEqual(before?.[name], after?.[name]),
  )
}

/** The sentence of a company that became the primary one of a person, or no longer is, and nothing else. */
export function primarySentence(record: Activity): string | undefined {
  if (String(changedLinkFields(record)) !== 'is_primary') return undefined
  const link = record.changes?.[LINK_PREFIX + record.company_id]?.to as CompanyLink | undefined
  return link?.is_primary ? strings.becamePrimary : strings.noLongerPrimary
}

/** The sentence of a record that became private, or no longer is, and nothing else. */
export function visibilitySentence({ entity_type, changes }: Activity): string | undefined {
  const { visibility, ...others } = changes ?? {}
  if (!visibility || Object.keys(others).length > 0) return undefined
  return strings.visibilitySentences[`${entity_type} ${visibility.to}`]
}

function formatLinkFields(record: Activity): string {
  const names = changedLinkFields(record).map((name) => strings.linkFields[name])
  return names.length > 0 ? formatList([...new Set(names)] as string[]) : strings.linkDetails
}

/** The text of each slot in the sentence of a record. */
export function sentenceSlots(record: Activity): Record<string, string> {
  const { activity_type, entity_type, metadata } = record
  const outcome = formatCounts([
    [metadata.processed_companies, strings.succeeded],
    [metadata.failed_companies, strings.failed],
  ])
  const filled = fieldNames(metadata.fields, fieldsOfEntity(entity_type))
  const total = asNumber(metadata.total_companies)
  return {
    type: formatWord(activity_type),
    link: formatLinkFields(record),
    fields: filled ?? strings.details,
    filled: filled ? strings.filled(filled) : '',
    score: formatScore(metadata),
    from: formatStage(metadata.from),
    to: formatStage(metadata.to),
    stage: asText(metadata.stage) ? strings.inStage(formatStage(metadata.stage)) : '',
    counts:
      formatCounts([
        [metadata.created, strings.added],
        [metadata.updated, strings.updated],
        [metadata.unchanged, strings.unchanged],
        [metadata.failed, strings.failed],
      ]) || strings.unchanged(formatNumber(0)),
    outcome: outcome && `: ${outcome}`,
    size: total === null ? '' : strings.forCompanies(total, formatNumber(total)),
  }
}

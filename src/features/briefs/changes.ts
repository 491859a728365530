import { sql } from 'kysely'
import { type AboutEntry, readNames } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { utcText } from '#src/platform/database/sql.ts'
import type { Fields } from '#src/platform/filter/fields.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { BriefItem, BriefSection } from './schema.ts'
import type { Scope, Subject } from './scope.ts'
import { type FieldsByType, itemOf, labelOf, sectionOf, valueText } from './values.ts'

const LIMIT = 12
/** The changes of a brief without a meeting go back so many days. */
const DAYS_WITHOUT_MEETING = 30
/** More changed fields since the last meeting are not read. */
const MAX_CHANGES = 2000
/** Longer values are shown as changed, not as text. */
const MAX_VALUE_BYTES = 500

/** Written by machines, or shown in a section of its own. */
const HIDDEN_FIELDS = new Set(['llm_score_details'])

interface Change {
  entity_id: string
  entity_type: 'company' | 'dealflow' | 'person'
  at: string
  user_email: string | null
  field: string
  from: unknown
  to: unknown
  is_long: boolean
}

/** What has changed in the records since the last meeting, each field once, the last change first. */
export async function changesSection(db: Db, scope: Scope, fields: FieldsByType): Promise<BriefSection> {
  const meeting = await readLastMeeting(db, scope)
  const since = meeting ?? new Date(Date.now() - DAYS_WITHOUT_MEETING * 86_400_000).toISOString()
  const title = meeting
    ? `Changes since the meeting of ${meeting.slice(0, 10)}`
    : `Changes in the last ${DAYS_WITHOUT_MEETING} days (no meeting yet)`
  const changes = foldChanges(await readChanges(db, subjectIds(scope), since))
  const names = await readNames(db, linkedRecords(changes))
  const items = changes.map((change) => changeItem(scope.subject, fields[change.entity_type], change, names))
  const created = scope.deals
    .filter(({ id, created_at }) => created_at > since && (scope.subject !== 'deal' || id === scope.id))
    .map(({ id, created_at, company_name }) =>
      itemOf('New deal', company_name, { at: created_at, type: 'deal', id }),
    )
  const all = [...items, ...created].sort((one, other) => (other.at ?? '').localeCompare(one.at ?? ''))
  return sectionOf('changes', title, all, LIMIT)
}

/** Of a company its deals too, of a deal its company too. */
function subjectIds({ subject, id, companies, deals }: Scope): string[] {
  if (subject === 'person') return [id]
  return subject === 'deal' ? [id, ...idsOf(companies)] : [id, ...idsOf(deals)]
}

async function readLastMeeting(db: Db, { subject, id, companies }: Scope): Promise<string | undefined> {
  const of =
    subject === 'person'
      ? sql`listed_contacts where target_id = ${id}`
      : sql`company_contacts where company_id = any(${idsOf(companies)}::text[])`
  const { rows } = await sql<{ happened_at: Date }>`
    select happened_at from ${of} and kind = 'meeting' and happened_at <= now()
    order by happened_at desc limit 1`.execute(db)
  return rows[0] && new Date(rows[0].happened_at).toISOString()
}

async function readChanges(db: Db, ids: readonly string[], since: string): Promise<Change[]> {
  const short = (side: 'from' | 'to') => sql`value -> ${sql.lit(side)}`
  const { rows } = await sql<Change>`
    select entity_id, entity_type, ${utcText(sql`"timestamp"`)} as at,
      user_email, field, is_long, case when not is_long then ${short('from')} end as "from",
      case when not is_long then ${short('to')} end as "to"
    from (select activity.*, key as field, value, octet_length(value::text) > ${sql.lit(MAX_VALUE_BYTES)} as is_long
      from activity, json_each(changes)
      where entity_id = any(${[...ids]}::text[]) and changes is not null and "timestamp" > ${since}::timestamptz
        and key <> all(${[...HIDDEN_FIELDS]}::text[])
      order by activity."timestamp" desc, activity.id desc limit ${MAX_CHANGES}) change
    order by change."timestamp" desc, change.id desc`.execute(db)
  return rows
}

/** One change for each field, from its first value to its last. A field that has its first value again is left out. */
function foldChanges(changes: readonly Change[]): Change[] {
  const folded = new Map<string, Change>()
  for (const change of changes) {
    const key = `${change.entity_id} ${change.field}`
    const newest = folded.get(key)
    folded.set(
      key,
      newest ? { ...newest, from: change.from, is_long: newest.is_long || change.is_long } : change,
    )
  }
  return [...folded.values()].filter(
    ({ from, to, is_long }) => is_long || JSON.stringify(from) !== JSON.stringify(to),
  )
}

const COMPANY_LINK = /^companies\.(.+)$/

/** The records whose names the texts of changes have. */
const linkedRecords = (changes: readonly Change[]): AboutEntry[] =>
  changes.flatMap(({ field, from, to }): AboutEntry[] => {
    const company = COMPANY_LINK.exec(field)?.[1]
    if (company) return [{ type: 'company', id: company }]
    if (field !== 'thesis_id') return []
    return [from, to].flatMap((id): AboutEntry[] => (typeof id === 'string' ? [{ type: 'thesis', id }] : []))
  })

const KINDS = { company: 'company', dealflow: 'deal', person: 'person' } as const

function changeItem(subject: Subject, fields: Fields, change: Change, names: Map<string, string>): BriefItem {
  const { entity_id, entity_type, at, user_email, field } = change
  const type = KINDS[entity_type]
  const company = COMPANY_LINK.exec(field)?.[1]
  const label = company ? (names.get(company) ?? 'Company') : labelOf(fields, field)
  const prefix = type === subject ? '' : `${type === 'deal' ? 'Deal' : 'Company'}: `
  const text = company ? linkText(change) : changeText(fields, change, names)
  return itemOf(`${prefix}${label}`, text, { at, user_email, type, id: entity_id })
}

const linkText = ({ from, to }: Change): string =>
  to === null ? 'removed' : from === null ? 'added as a company' : 'changed'

function changeText(
  fields: Fields,
  { field, from, to, is_long }: Change,
  names: Map<string, string>,
): string {
  if (is_long) return 'changed'
  const [before, after] = [from, to].map((value) => {
    const name = typeof value === 'string' ? names.get(value) : undefined
    return name ?? (/_id$/.test(field) && value !== null ? undefined : valueText(fields, field, value))
  })
  return before === undefined || after === undefined
    ? 'changed'
    : `${before ?? 'empty'} → ${after ?? 'empty'}`
}

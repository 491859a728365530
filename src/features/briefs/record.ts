import { sql } from 'kysely'
import { type Decision, decisionFields, readReasonConfig } from '#src/features/decisions/index.ts'
import { listNotes, type Note } from '#src/features/notes/index.ts'
import {
  type CompanyRelationship,
  listCompanyRelationships,
  listPersonRelationships,
  type Relationship,
} from '#src/features/relationships/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { FilterCaller } from '#src/platform/filter/query.ts'
import { idsOf } from '#src/platform/ids.ts'
import { excerptOf } from '#src/platform/markdown.ts'
import type { BriefSection } from './schema.ts'
import type { Scope } from './scope.ts'
import { countText, itemOf, sectionOf, wordText } from './values.ts'

const PEOPLE = 8
const COLLEAGUES = 5
const DECISIONS = 5
const NOTES = 8
const NOTE_DAYS = 180
const EXCERPT_LENGTH = 300

/** The present people of the company with the last contact, or the companies of the person. */
export function peopleSection({ subject, people }: Scope): BriefSection {
  const [person] = people
  if (subject === 'person' && person) {
    const items = person.companies.map(({ company_id, name, role, until }) =>
      itemOf(name, [role ?? 'no role', ...(until ? [`until ${until}`] : [])].join(', '), {
        ...{ type: 'company', id: company_id },
      }),
    )
    return sectionOf('people', 'Companies', items, PEOPLE)
  }
  const items = people.map(({ id, name, role, last_contact_at, last_contact_by }) => {
    const contact = last_contact_at ? 'last contact' : 'no contact yet'
    const more = { at: last_contact_at, user_email: last_contact_by, type: 'person', id } as const
    return itemOf(name, [...(role ? [role] : []), contact].join(', '), more)
  })
  return sectionOf('people', 'People', items, PEOPLE)
}

/** The colleagues who know the company or the person, the strongest relationship first. */
export async function relationshipsSection(db: Db, { subject, id, companies }: Scope): Promise<BriefSection> {
  const page = { limit: COLLEAGUES, offset: 0 }
  const { records, total } =
    subject === 'person'
      ? await listPersonRelationships(db, id, page)
      : await listCompanyRelationships(db, companies[0]?.id ?? id, page)
  const colleagues: (Relationship & Partial<CompanyRelationship>)[] = JSON.parse(records)
  const items = colleagues.map((one) => {
    const parts = [
      `strength ${one.strength}`,
      `${countText(one.contacts_last_year, 'contact')} in the last year`,
      countText(one.meetings_last_year, 'meeting'),
      ...(one.person_name ? [`knows ${one.person_name}${one.role ? ` (${one.role})` : ''} best`] : []),
      `last ${one.last_contact_kind}`,
    ]
    return itemOf(one.user_email, parts.join(', '), { at: one.last_contact_at })
  })
  return sectionOf('relationships', 'Who knows them', items, COLLEAGUES, total)
}

/** Open decisions first, then the latest ones, with the day to look again. */
export async function decisionsSection(db: Db, { subject, companies }: Scope): Promise<BriefSection> {
  const isOf = sql`company_id = any(${idsOf(companies)}::text[])`
  const { rows } = await sql<Decision & { total: number }>`
    select ${decisionFields}, (select count(*)::int from decisions where ${isOf}) as total from decisions where ${isOf}
    order by decisions.decided_at desc nulls first, decisions.id desc limit ${DECISIONS}`.execute(db)
  const { reasons: configured } = await readReasonConfig(db)
  const labels = new Map(configured.map(({ key, label }) => [key, label]))
  const items = rows.map((decision) => {
    const { id, outcome, reasons, body, votes, revisit_on, decided_at, created_at, author_email } = decision
    const given = Map.groupBy(votes, ({ vote }) => vote)
    const parts = [
      ...(reasons.length > 0 ? [reasons.map((key) => labels.get(key) ?? wordText(key)).join(', ')] : []),
      ...(body ? [excerptOf(body, EXCERPT_LENGTH)] : []),
      ...(given.size > 0
        ? [`Votes: ${[...given].map(([vote, all]) => `${all.length} ${vote}`).join(', ')}`]
        : []),
      ...(revisit_on ? [`Look again on ${revisit_on}`] : []),
    ]
    const label = outcome === null ? 'Open' : wordText(outcome)
    return itemOf(subject === 'person' ? `${decision.company_name}: ${label}` : label, parts.join(' · '), {
      ...{ at: decided_at ?? created_at, user_email: author_email, type: 'decision', id },
    })
  })
  return sectionOf('decisions', 'Decisions', items, DECISIONS, rows[0]?.total ?? 0)
}

/** The notes of the last months that the caller may see, the last first. */
export async function notesSection(db: Db, caller: FilterCaller, scope: Scope): Promise<BriefSection> {
  const { subject, id, companies, people, deals } = scope
  const around =
    subject === 'company' ? [...deals, ...people] : subject === 'deal' ? [...companies, ...people] : []
  const { records, total } = await listNotes(db, caller, {
    about: [id, ...idsOf(around)],
    filter: JSON.stringify({ field: 'happened_at', op: 'gte', value: `-${NOTE_DAYS}d` }),
    sort: '-happened_at',
    limit: NOTES,
    offset: 0,
  })
  const notes: Note[] = JSON.parse(records)
  const items = notes.map(({ id: note_id, kind, title, body, visibility, happened_at, author_email }) => {
    const label = `${wordText(kind)}${visibility === 'private' ? ' (private)' : ''}`
    const text = [...(title ? [title] : []), excerptOf(body, EXCERPT_LENGTH)].join(': ')
    return itemOf(label, text, { at: happened_at, user_email: author_email, type: 'note', id: note_id })
  })
  return sectionOf('notes', `Notes from the last ${NOTE_DAYS} days`, items, NOTES, total)
}

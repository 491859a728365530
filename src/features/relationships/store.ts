import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type JsonPage, readPageAndTotal, utc } from '#src/platform/database/sql.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { HALF_LIFE_DAYS, POINTS, POINTS_OF_HALF } from './schema.ts'

const isOfLastYear = sql`happened_at >= now() - interval '365 days'`

/** Older ones count nothing. Without a limit, the power of an age of centuries is an error. */
const MAX_HALVINGS = 100

/** What a contact counts today: by its kind, and half as much after each half-life. */
const points = sql`(case kind
    ${sql.join(
      Object.entries(POINTS).map(([kind, value]) => sql`when ${sql.lit(kind)} then ${sql.lit(value)}`),
      sql` `,
    )} end
  * power(0.5::float8, least(extract(epoch from now() - happened_at)::float8 / ${sql.lit(HALF_LIFE_DAYS * 86_400)}, ${sql.lit(MAX_HALVINGS)})))`

/**
 * The strength of contacts, from 0 to 100: 100 × (1 − 2^(−points / 6)). Frequent contacts add up, recent ones count more, and
 * meetings more than calls, calls more than emails.
 */
const strength = sql`round(100 * (1 - power(0.5::float8, sum(points) / ${sql.lit(POINTS_OF_HALF)})))::int`

/** @param contacts selects `note_id, happened_at, kind, author_email, points`, each note once */
const byColleague = (contacts: RawBuilder<unknown>) => sql`
  select author_email as user_email, max(happened_at) as last_contact_at,
    (array_agg(kind order by happened_at desc, note_id desc))[1] as last_contact_kind, count(*)::int as contacts,
    count(*) filter (where ${isOfLastYear})::int as contacts_last_year,
    count(*) filter (where ${isOfLastYear} and kind = 'meeting')::int as meetings_last_year,
    ${strength} as strength, sum(points) as points
  from (${contacts}) contact group by author_email`

const fields = sql`user_email, ${utc('last_contact_at')}, last_contact_kind, colleague.contacts, contacts_last_year,
  meetings_last_year, strength`

const strongestFirst = sql`order by points desc, last_contact_at desc, user_email`

const isCounted = sql`happened_at <= now() and author_email is not null`

const countColleagues = (contacts: RawBuilder<unknown>) =>
  sql`select count(distinct author_email) from ${contacts} and ${isCounted}`

/** A page of the colleagues who know a person, the strongest relationship first. */
export function listPersonRelationships(
  db: Db,
  id: string,
  { limit, offset }: PageRequest,
): Promise<JsonPage> {
  const contacts = sql`listed_contacts where target_id = ${id}`
  const each = sql`select *, ${points} as points from ${contacts} and ${isCounted}`
  const page = sql`select ${fields} from (${byColleague(each)}) colleague ${strongestFirst} limit ${limit} offset ${offset}`
  return readPageAndTotal(db, page, countColleagues(contacts))
}

/** A page of the colleagues who know a company, each with the person of the company whom they know best. */
export function listCompanyRelationships(
  db: Db,
  id: string,
  { limit, offset }: PageRequest,
): Promise<JsonPage> {
  const contacts = sql`company_contacts where company_id = ${id}`
  const each = sql`select distinct note_id, happened_at, kind, author_email, ${points} as points from ${contacts}
    and ${isCounted}`
  const withPeople = sql`
    select author_email, person_id, sum(points) as points, max(happened_at) as last_contact_at,
      count(*) filter (where ${isOfLastYear})::int as contacts,
      count(*) filter (where ${isOfLastYear} and kind = 'meeting')::int as meetings
    from (select *, ${points} as points from ${contacts} and ${isCounted}) contact
    where person_id is not null group by author_email, person_id`
  const best = sql`
    select distinct on (author_email) author_email, person_id, people.name as person_name, role,
      known.last_contact_at as person_last_contact_at, known.contacts, known.meetings
    from (${withPeople}) known join people on people.id = person_id
      join company_people using (person_id) where company_id = ${id}
    order by author_email, known.points desc, known.last_contact_at desc, person_id`
  const page = sql`
    select ${fields}, best.person_id, best.person_name, best.role, ${utc('person_last_contact_at')},
      coalesce(best.contacts, 0) as person_contacts_last_year, coalesce(best.meetings, 0) as person_meetings_last_year
    from (${byColleague(each)}) colleague left join (${best}) best on best.author_email = colleague.user_email
    ${strongestFirst} limit ${limit} offset ${offset}`
  return readPageAndTotal(db, page, countColleagues(contacts))
}

import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type Json, type JsonPage, jsonArray } from '#src/platform/database/sql.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'
import { MAX_PER_KEY, MAX_SAME_PEOPLE } from './duplicates-schema.ts'
import { personFields } from './store.ts'

/** Other people who may be the same person, those with most reasons first, as JSON. */
export async function readSamePeople(
  db: Db,
  { id, emails }: { id: string; emails: readonly string[] },
): Promise<Json> {
  const matching = sql`
    select id, 'same_email' as reason from people where emails && ${emails}::text[]
    union
    select people.id, 'same_name_in_company' from people join company_people link on link.person_id = people.id
    where name_key = (select name_key from people own where own.id = ${id}) and name_key <> ''
      and company_id in (select company_id from company_people join companies on companies.id = company_id
        where person_id = ${id})`
  const found = sql`
    select json_build_object('id', id, 'name', name, 'emails', emails, 'headline', headline) as person, reasons
    from people join (
      select id, json_agg(reason order by reason) as reasons, count(*) as n from (${matching}) matching
      where id <> ${id} group by id) same using (id)
    order by n desc, id limit ${MAX_SAME_PEOPLE}`
  const { rows } = await sql<{ found: Json }>`select (${jsonArray(found)}) as found`.execute(db)
  return rows[0]?.found ?? '[]'
}

const personOf = (id: string) =>
  sql`(select row_to_json(person) from (select ${personFields} from people where people.id = ${sql.ref(id)}) person)`

/** What people are compared by. With a person, only keys of those who have one in common with that person matter. */
const keysOf = (person_id: string | undefined) => sql`
  select id as person_id, 'same_email' as reason, '' as company_id, email as key
  from people, unnest(emails) email
  where ${person_id === undefined ? sql`true` : sql`emails && (select emails from people own where own.id = ${person_id})`}
  union all
  select person_id, 'same_name_in_company', company_id, name_key from company_people
  join people on people.id = person_id join companies on companies.id = company_id where name_key <> ''
    and ${
      person_id === undefined
        ? sql`true`
        : sql`company_id in (select company_id from company_people own where own.person_id = ${person_id})
          and name_key = (select name_key from people own where own.id = ${person_id})`
    }`

/** A page of pairs of people who may be the same. */
export async function listDuplicatePeople(
  db: Db,
  person_id: string | undefined,
  { limit, offset }: PageRequest,
): Promise<JsonPage> {
  const page = sql`
    select json_build_array(${personOf('older_id')}, ${personOf('newer_id')}) as people, reasons
    from (select * from pairs order by cardinality(reasons) desc, newer_id desc, older_id desc
      limit ${limit} offset ${offset}) pairs
    order by cardinality(reasons) desc, newer_id desc, older_id desc`
  const isWanted =
    person_id === undefined ? sql`true` : sql`${person_id} in (older.person_id, newer.person_id)`
  const { rows } = await sql<JsonPage>`
    with keyed as materialized (${keysOf(person_id)}),
    shared as materialized (
      select keyed.* from keyed join (
        select reason, company_id, key from keyed group by reason, company_id, key
        having count(*) between 2 and ${MAX_PER_KEY}) shared using (reason, company_id, key)),
    pairs as materialized (
      select older.person_id as older_id, newer.person_id as newer_id,
        array_agg(distinct older.reason order by older.reason) as reasons
      from shared older join shared newer using (reason, company_id, key)
      where older.person_id < newer.person_id and ${isWanted}
      group by older.person_id, newer.person_id)
    select (${jsonArray(page)}) as records, (select count(*)::float8 from pairs) as total`.execute(db)
  return rows[0] as JsonPage
}

import { sql } from 'kysely'
import { readPeople, type StoredPerson } from '#src/features/people/index.ts'
import { isMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { chunksOf } from '../batches.ts'

const VALUES_PER_QUERY = 2000
/** A link to a profile, without what may differ between two links to the same one. */
const PROFILE = /linkedin\.com(\/in\/[^/?#]+)/i

/** What a link to a profile is compared by; undefined: the link identifies nobody. */
export const profileKey = (link: string): string | undefined => PROFILE.exec(link)?.[1]?.toLowerCase()

/** By which the rows of a file may be existing people. */
export interface PersonKeys {
  ids: readonly string[]
  emails: readonly string[]
  profiles: readonly string[]
  /** Of companies that exist. */
  companyIds: readonly string[]
  /** Of rows that have nothing else. */
  names: readonly string[]
}

/** The existing people that rows of a file may be, oldest first. */
export async function readCandidates(db: Db, keys: PersonKeys): Promise<StoredPerson[]> {
  const ids = new Set(keys.ids)
  const add = async (
    values: readonly string[],
    query: (chunk: string[]) => ReturnType<typeof sql<{ id: string }>>,
  ) => {
    for (const chunk of chunksOf(values, VALUES_PER_QUERY)) {
      const { rows } = await query(chunk).execute(db)
      for (const { id } of rows) ids.add(id)
    }
  }
  await add(
    keys.emails,
    (chunk) => sql`
      select found.id from unnest(${chunk}::text[]) email cross join lateral (
        select id from people where emails @> array[email] offset 0) found`,
  )
  if (keys.profiles.length > 0) {
    const { rows } = await sql<{ id: string }>`
      select people.id from people cross join unnest(links) link
      where lower(substring(link from '(?i)linkedin\.com(/in/[^/?#]+)')) = any(${[...keys.profiles]}::text[])`.execute(
      db,
    )
    for (const { id } of rows) ids.add(id)
  }
  await add(
    keys.companyIds,
    (chunk) =>
      sql`select distinct person_id as id from company_people where company_id = any(${chunk}::text[])`,
  )
  await add(
    keys.names,
    (chunk) => sql`
      select found.id from unnest(${chunk}::text[]) name cross join lateral (
        select id from people where name_sort = left(fold_text(name.name), 200) offset 0) found`,
  )
  return readPeople(db, [...ids])
}

/** A person in the trash, or one who was merged into another. */
export interface TrashedPerson {
  id: string
  /** The person that they were merged into; null: they were deleted. */
  survivor: string | null
  record: Omit<StoredPerson, 'companies'>
}

/** The people in the trash with one of the ids or addresses. */
export async function readTrashedPeople(
  db: Db,
  ids: readonly string[],
  emails: readonly string[],
): Promise<TrashedPerson[]> {
  const { rows } = await sql<TrashedPerson>`
    select id, case when ${isMerged} then company_id end as survivor, content -> 'record' as record from trash
    where entity_type = 'person' and not purging and (id = any(${[...ids]}::text[])
      or exists (select from json_array_elements_text(content -> 'record' -> 'emails') email
        where email = any(${[...emails]}::text[])))
    order by id`.execute(db)
  return rows
}

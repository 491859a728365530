import { type RawBuilder, sql } from 'kysely'

/** The name of the target of a link, null if it is in the trash, merged or gone. */
export const targetName = sql`case target_type
  when 'company' then (select name from companies where companies.id = target_id)
  when 'deal' then (select companies.name from dealflow join companies on companies.id = company_id where dealflow.id = target_id)
  when 'person' then (select name from people where people.id = target_id)
  else (select title from theses where theses.id = target_id) end`

/** The links of a record with the names of their targets, without those in the trash. */
export const namedLinks = (relation: 'about' | 'participants', record: RawBuilder<unknown>) => sql`
  (select target_type, target_id, position, ${targetName} as name from links
    where record_id = ${record} and relation = ${sql.lit(relation)}) link where name is not null`

/** What a record is about, as JSON of `NamedAboutEntry`s. Targets in the trash are left out. */
export const aboutOf = (record: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce((
  select json_agg(json_build_object('type', target_type, 'id', target_id, 'name', name) order by position, target_id)
  from ${namedLinks('about', record)}), '[]')`

/** The same as a column of rows with an `entity_type`; null for records of types that are about no others. */
export const aboutOfEntity = (record: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when entity_type in ('note', 'task', 'file') then ${aboutOf(record)} end as about`

import { type RawBuilder, sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { laterThan } from '#src/platform/database/sql.ts'

const nameKey = (name: RawBuilder<unknown>) => sql`fold_text(trim(regexp_replace(${name}, '\\s+', ' ', 'g')))`

/** The condition that an entry of a company's executives, a text or an object, has one of the names. */
const isNamed = (entry: RawBuilder<unknown>, names: readonly string[]) => sql`coalesce(${nameKey(sql`
  case json_typeof(${entry}) when 'string' then ${entry} #>> '{}' when 'object' then ${entry} ->> 'name' end`)}
  = any(array(select ${nameKey(sql`name`)} from unnest(${[...names]}::text[]) name)), false)`

const entriesOf = (value: RawBuilder<unknown>) =>
  sql`json_array_elements(case json_typeof(${value}) when 'array' then ${value} else '[]' end)`

const hasNamed = (value: RawBuilder<unknown>, names: readonly string[]) =>
  sql`(exists (select from ${entriesOf(value)} entry where ${isNamed(sql`entry`, names)}))`

/** A list of executives without those entries. The others keep their exact text. */
const withoutNamed = (value: RawBuilder<unknown>, names: readonly string[]) => sql`(
  select coalesce(json_agg(entry order by position), '[]')
  from ${entriesOf(value)} with ordinality listed(entry, position) where not ${isNamed(sql`entry`, names)})`

/** A JSON object with another value of one field. */
const withField = (object: RawBuilder<unknown>, field: string, value: RawBuilder<unknown>) => sql`(
  select json_object_agg(field.key, case field.key when ${sql.lit(field)} then ${value} else field.value end)
  from json_each(${object}) field)`

/** The query for the executives of companies that have one of the names, also of companies in the trash. */
export const executivesNamed = (names: readonly string[]): RawBuilder<unknown> => sql`
  select id as company_id, companies.name as company_name, false as in_trash, entry
    from companies, ${entriesOf(sql`executives`)} entry
    where executives is not null and ${isNamed(sql`entry`, names)}
  union all
  select id, trash.name, true, entry from trash, ${entriesOf(sql`content -> 'record' -> 'executives'`)} entry
    where entity_type = 'company' and ${isNamed(sql`entry`, names)}`

/**
 * Removes the executives with one of the names from companies, also from those in the trash, and from the history.
 * @returns the number of changed rows by table
 */
export async function eraseExecutives(
  transaction: Db,
  action: Action,
  names: readonly string[],
): Promise<Record<string, number>> {
  const { rows: companies } = await sql<{ id: string; updated_at: Date }>`
    update companies set executives = ${withoutNamed(sql`executives`, names)},
      updated_at = ${laterThan('updated_at')}
    where id in (select id from companies where executives is not null and ${hasNamed(sql`executives`, names)}
      order by id for no key update)
    returning id, updated_at`.execute(transaction)
  const executives = sql`content -> 'record' -> 'executives'`
  const record = withField(sql`content -> 'record'`, 'executives', withoutNamed(executives, names))
  const trash = await sql`
    update trash set content = ${withField(sql`content`, 'record', record)}
    where entity_type = 'company' and ${hasNamed(executives, names)}`.execute(transaction)
  const side = (name: string) => sql`changes -> 'executives' -> ${sql.lit(name)}`
  const cleaned = (name: string) => sql`case json_typeof(${side(name)}) when 'array'
    then ${withoutNamed(side(name), names)} else ${side(name)} end`
  const activity = await sql`
    update activity set changes = ${withField(sql`changes`, 'executives', sql`json_build_object('from', ${cleaned('from')}, 'to', ${cleaned('to')})`)}
    where entity_type = 'company' and changes -> 'executives' is not null
      and (${hasNamed(side('from'), names)} or ${hasNamed(side('to'), names)})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    companies.map(({ id, updated_at }) => ({
      activity_type: 'company_updated',
      entity_type: 'company',
      entity_id: id,
      company_id: id,
      metadata: { fields: ['executives'] },
      timestamp: updated_at.toISOString(),
    })),
  )
  return {
    companies: companies.length,
    trash: Number(trash.numAffectedRows ?? 0n),
    activity: Number(activity.numAffectedRows ?? 0n),
  }
}

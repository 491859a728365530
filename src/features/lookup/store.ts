import { type RawBuilder, sql } from 'kysely'
import { logoUrl } from '#src/features/logos/store.ts'
import { isVisible, type Viewer } from '#src/features/views/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { hasTrigram } from '#src/platform/database/trigram.ts'
import { type FoundRecord, MAX_FOUND } from './schema.ts'

/** Deals are looked up for this many of the companies with a name that matches. */
const MAX_COMPANIES = 50
/** Sorts behind every character that continues a name. */
const LAST = '\u{10FFFF}'

/** Finds a few records of each type by part of their name. */
export async function findByName(db: Db, viewer: Viewer | null, text: string): Promise<FoundRecord[]> {
  const limit = sql.lit(MAX_FOUND)
  const { rows } = await sql<FoundRecord>`
    with beginning as materialized (${idsOf(beginsWith(text))}),
    containing as materialized (
      ${idsOf(hasTrigram(text) ? sql`name_sort like (select contains_pattern(${text}))` : sql`false`)}),
    found as materialized (
      select id, name, website, industry_category, id in (select id from beginning) as is_beginning from companies
      where id = any(array(select id from beginning union select id from containing)))
    select * from (
      (select 'company' as type, id, name, industry_category as detail, ${logoUrl} as logo_url from found companies
        order by is_beginning desc, fold_text(name), id limit ${limit})
      union all
      (select 'deal', dealflow.id, found.name, dealflow.stage, null from dealflow join found on found.id = company_id
        order by (dealflow.status = 'active') desc, dealflow.id desc limit ${limit})
      union all
      (select 'thesis', id, title, code, null from theses
        where fold_text(code || ' ' || title) like (select contains_pattern(${text})) order by code limit ${limit})
      union all
      (select 'view', id, name, entity, null from views
        where ${isVisible(viewer)} and fold_text(name) like (select contains_pattern(${text})) order by fold_text(name), id
        limit ${limit})) records`.execute(db)
  return rows
}

/**
 * Reads the index on names alone, in its order, and stops early. The conditions fold the text in a subselect: a prepared
 * statement would otherwise fold it again for each name.
 */
const idsOf = (condition: RawBuilder<unknown>) => sql`
  select id from companies where ${condition} order by name_sort, id limit ${sql.lit(MAX_COMPANIES)}`

/** The range finds the place in the index; collations ignore punctuation, so each name is checked too. */
const beginsWith = (text: string) => sql`
  name_sort >= (select fold_text(${text})) and name_sort <= (select fold_text(${text}) || ${LAST})
    and starts_with(name_sort, (select fold_text(${text})))`

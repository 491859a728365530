import { type RawBuilder, sql } from 'kysely'
import { companyConditions } from '#src/features/companies/index.ts'
import { findFiles } from '#src/features/files/index.ts'
import { logoUrl } from '#src/features/logos/index.ts'
import { findNotes } from '#src/features/notes/index.ts'
import { mainCompanyName, personSearch } from '#src/features/people/index.ts'
import { isVisible, type Viewer } from '#src/features/views/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all } from '#src/platform/database/sql.ts'
import { type SearchTerm, searchTerms } from '#src/platform/schema/search-terms.ts'
import { type FoundRecord, MAX_FOUND } from './schema.ts'

/** At most this many companies or people with a name that matches are ranked. Deals are looked up for these companies. */
const MAX_NAMED = 50
/** At most this many companies or people whose names do not match are ranked. */
const MAX_RANKED = 1000
/** Sorts behind every character that continues a name. */
const LAST = '\u{10FFFF}'

/**
 * Finds a few records of each type by the words of a text. Companies come first, unless only their websites and
 * descriptions contain the words.
 */
export async function findByWords(db: Db, viewer: Viewer | null, text: string): Promise<FoundRecord[]> {
  const limit = sql.lit(MAX_FOUND)
  const terms = searchTerms(text)
  const begins = beginsWith(text.trim().replace(/\s+/g, ' '))
  const inName = all(terms.map((term) => nameContains(term)))
  // The search of the list costs more, so it only fills up what the names leave empty.
  const { rows } = await sql<FoundRecord & { has_name: boolean }>`
    with beginning as materialized (${idsOf('companies', begins)}),
    named as materialized (select id from beginning union (${idsOf('companies', inName)})),
    matching as materialized (
      select id, name, name_sort, website from companies
      where (select count(*) from named) < ${limit} and ${all(companyConditions({ search: text }, 'index'))}),
    others as materialized (
      select id, ${rankOf(terms)} as rank from (select * from matching limit ${sql.lit(MAX_RANKED)}) ranked
      order by rank, name_sort, id limit ${limit}),
    found as materialized (
      select companies.id, name, website, industry_category,
        case when id in (select id from beginning) then -2 when id in (select id from named) then -1
          else (select rank from others where others.id = companies.id) end as rank
      from companies where id = any(array(select id from named union select id from others))),
    person_beginning as materialized (${idsOf('people', begins)}),
    person_named as materialized (select id from person_beginning union (${idsOf('people', inName)})),
    person_others as materialized (
      select id from people
      where (select count(*) from person_named) < ${limit} and ${all(personSearch(text))} limit ${sql.lit(MAX_RANKED)})
    select * from (
      (select 'company' as type, id, name, industry_category as detail, ${logoUrl} as logo_url, rank < 1 as has_name
        from found companies
        order by rank, fold_text(name), id limit ${limit})
      union all
      (select 'person', id, name, ${mainCompanyName}, null, rank < 0 from (
          select *, case when id in (select id from person_beginning) then -2
            when id in (select id from person_named) then -1 else 0 end as rank
          from people where id = any(array(select id from person_named union select id from person_others))) people
        order by rank, name_sort, id limit ${limit})
      union all
      (select 'deal', dealflow.id, found.name, dealflow.stage, null, rank < 1 from dealflow join found on found.id = company_id
        order by (dealflow.status = 'active') desc, rank, dealflow.id desc limit ${limit})
      union all
      (select 'thesis', id, title, code, null, true from theses
        where ${contains(sql`code || ' ' || title`, terms)} order by code limit ${limit})
      union all
      (select 'view', id, name, entity, null, true from views
        where ${isVisible(viewer)} and ${contains(sql`name`, terms)} order by fold_text(name), id
        limit ${limit})) records`.execute(db)
  const isByName = rows.some(({ type, has_name }) => type === 'company' && has_name)
  const sorted = isByName ? rows : rows.toSorted((a, b) => Number(b.has_name) - Number(a.has_name))
  const records = sorted.map(({ has_name: _, ...record }) => record)
  const notes = await findNotes(db, viewer, text, MAX_FOUND)
  const files = await findFiles(db, viewer, text, MAX_FOUND)
  return [
    ...records,
    ...notes.map(({ passage, ...note }) => ({
      type: 'note' as const,
      ...note,
      detail: passage,
      logo_url: null,
    })),
    ...files.map(({ passage, ...file }) => ({
      type: 'file' as const,
      ...file,
      detail: passage,
      logo_url: null,
    })),
  ]
}

/**
 * Reads the index on names alone, in its order, and stops early. The conditions fold the text in a subselect: a prepared
 * statement would otherwise fold it again for each name.
 */
const idsOf = (table: 'companies' | 'people', condition: RawBuilder<unknown>) => sql`
  select id from (
    select id from ${sql.table(table)} where ${condition} order by name_sort, id limit ${sql.lit(MAX_NAMED)}) named`

/** The range finds the position in the index; collations ignore punctuation, so each name is checked too. */
const beginsWith = (text: string) => sql`
  name_sort >= (select fold_text(${text})) and name_sort <= (select fold_text(${text}) || ${LAST})
    and starts_with(name_sort, (select fold_text(${text})))`

const pattern = (text: string) => sql`(select contains_pattern(${text}))`

const nameContains = ({ text, spelledOut = text }: SearchTerm) =>
  spelledOut === text
    ? sql`name_sort like ${pattern(text)}`
    : sql`(name_sort like ${pattern(text)} or name_sort like ${pattern(spelledOut)})`

/** A name that only matches by its spelling comes first, then a website, then a description. */
const rankOf = (terms: SearchTerm[]): RawBuilder<unknown> => sql`case
  when ${contains(sql`name`, terms)} then 0
  when ${all(terms.map(({ text }) => sql`website_text(website) like ${pattern(text)}`))} then 1 else 2 end`

/** The condition that a text contains all words. */
const contains = (value: RawBuilder<unknown>, terms: SearchTerm[]): RawBuilder<unknown> =>
  all(
    terms.map(({ text, spelledOut }) =>
      spelledOut === undefined
        ? sql`fold_text(${value}) like ${pattern(text)}`
        : sql`(fold_text(${value}) like ${pattern(text)} or fold_text(${value}) like ${pattern(spelledOut)}
            or spelled_out_text(${value}) like ${pattern(spelledOut)})`,
    ),
  )

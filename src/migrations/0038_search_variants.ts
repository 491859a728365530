import { type Kysely, sql } from 'kysely'

/** What is written instead of a letter where a keyboard lacks it. */
const SPELLED_OUT = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/**
 * Searches also find websites, and names and descriptions by letters that are spelled out. The texts are expressions of
 * indexes, so that no row has to be written again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const pairs = Object.entries(SPELLED_OUT).flatMap(([letter, text]) => [
    [letter, text],
    [letter.toUpperCase(), text],
  ])
  const letters = `[${pairs.map(([letter]) => letter).join('')}]`
  const replaced = pairs.reduce(
    (text, [letter, pair]) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(pair)})`,
    sql`value`,
  )
  // Null for the many texts without such letters: they are in no index, and need no folding.
  await sql`
    create function spelled_out_text(value text) returns text language sql immutable strict parallel safe
    return case when value ~ ${sql.lit(letters)} then fold_text(${replaced}) end`.execute(db)
  // Most addresses need no folding, which costs more than the rest. "https" and "www" would match all companies.
  const folded = sql`case when octet_length(value) = length(value) then lower(value) else fold_text(value) end`
  await sql`
    create function website_text(value text) returns text language sql immutable strict parallel safe
    return split_part(replace(${folded}, '://www.', '://'), '://', 2)`.execute(db)
  await sql`
    create index companies_by_spelled_out_text on companies
    using gin (spelled_out_text(name || E'\n' || coalesce(activity_description, '')) gin_trgm_ops)`.execute(
    db,
  )
  await sql`
    create index companies_by_website_text on companies using gin (website_text(website) gin_trgm_ops)`.execute(
    db,
  )
}

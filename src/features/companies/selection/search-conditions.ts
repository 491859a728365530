import { domainToUnicode } from 'node:url'
import { type RawBuilder, sql } from 'kysely'
import { hasTrigram } from '#src/platform/database/trigram.ts'
import { type SearchTerm, searchTerms } from '#src/platform/schema/search-terms.ts'
import { siteOf } from '../website.ts'

type Sql = RawBuilder<unknown>

/** How a search finds its matches: through the trigram indexes, or by checking each row of a scan in another order. */
export type Lookup = 'index' | 'scan'

/** Each further word would cost more to look up than it leaves out. */
const MAX_LOOKED_UP = 4

/** The text of a company whose letters are spelled out; null if it has no such letters. */
const spelledOutText = sql`spelled_out_text(name || E'\n' || coalesce(activity_description, ''))`
const websiteText = sql`website_text(website)`

/** The texts of a term, each of which finds it. */
interface Spellings {
  texts: string[]
  /** Also searched in texts whose letters are spelled out. */
  spelledOut: string | undefined
}

/** A condition for each word of a search: the name, the description, or the website contains it. */
export function searchConditions(search: string, lookup: Lookup): Sql[] {
  const terms = searchTerms(search).map(spellingsOf)
  const lookedUp = new Set(lookup === 'index' ? lookedUpOf(terms) : [])
  return terms.map((term) => termCondition(term, lookedUp.has(term)))
}

/** Whether trigram indexes can look up a word of the search. */
export const isLookedUp = ({ search = '' }: { search?: string }): boolean =>
  lookedUpOf(searchTerms(search).map(spellingsOf)).length > 0

/** The longest words, which are the rarest. */
const lookedUpOf = (terms: Spellings[]): Spellings[] =>
  terms
    .filter(({ texts }) => texts.every(hasTrigram))
    .sort((a, b) => lengthOf(b) - lengthOf(a))
    .slice(0, MAX_LOOKED_UP)

const lengthOf = ({ texts: [text = ''] }: Spellings): number => text.length

/** A web address is found by its domain, or by its page on a host that many companies share. */
function spellingsOf({ text, spelledOut, address }: SearchTerm): Spellings {
  const site = siteOf(address)
  if (!site) return { texts: distinct([text, spelledOut]), spelledOut }
  if (site.isPage) return { texts: [site.key], spelledOut: undefined }
  return { texts: distinct([site.key, domainToUnicode(site.key), spelledOut]), spelledOut }
}

const distinct = (texts: (string | undefined)[]): string[] =>
  [...new Set(texts.filter((text) => text !== undefined && text !== ''))] as string[]

function termCondition({ texts, spelledOut }: Spellings, isIndexed: boolean): Sql {
  // An index does not match an expression. The subselect hides the pattern from the planner, which would misjudge it.
  const contains = (column: Sql, text: string) =>
    sql`${isIndexed ? column : sql`(${column} || '')`} like (select contains_pattern(${text}))`
  return sql`(${sql.join(
    [
      ...texts.map((text) => contains(sql`search_text`, text)),
      ...texts.map((text) => contains(websiteText, text)),
      ...(spelledOut === undefined ? [] : [contains(spelledOutText, spelledOut)]),
    ],
    sql` or `,
  )})`
}

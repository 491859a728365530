import { type RawBuilder, sql } from 'kysely'
import type { CompanySummary, PossibleDuplicate } from '#src/features/companies/index.ts'
import { argumentsOf } from './candidates.ts'
import { type IdentityFields, identityOf, nameKeys } from './identity.ts'
import { type Candidate, candidateList, rankCandidates } from './possible-duplicates.ts'

type Company = CompanySummary & IdentityFields
type Keys = ReturnType<typeof keysOf>

/** What a new company is compared by: its own keys, and the keys that similar companies have. */
const keysOf = (company: Company) => {
  const identity = identityOf(company)
  return {
    ...argumentsOf({ id: company.id, identity }),
    name: identity.name,
    ...nameKeys(identity.name),
  }
}

const COLUMNS = [
  'subject',
  'own_domain',
  'own_country',
  'start_1',
  'start_2',
  'end_1',
  'end_2',
  'edges_1',
  'edges_2',
  'name',
  'name_start',
  'name_end',
  'name_edges',
] as const satisfies (keyof Keys)[]

const columnTypes = sql.raw(COLUMNS.map((column) => `${column} text`).join(', '))
const subjects = (json: unknown) => sql`json_to_recordset(${json}::json) as subjects (${columnTypes})`
const references = Object.fromEntries(
  COLUMNS.map((column) => [column, sql.ref(`subjects.${column}`)]),
) as Record<(typeof COLUMNS)[number], unknown>

/** Looks for companies like new ones, in the statement that creates them. */
export const creationCheck = {
  keysOf,
  /** The SQL that makes new companies known to later checks, given as a JSON array of their keys. */
  insertIdentities: (json: unknown): RawBuilder<unknown> => sql`
    insert into company_identities (company_id, domain, name, country, name_start, name_end, name_edges)
    select subject, own_domain, name, own_country, name_start, name_end, name_edges from ${subjects(json)}`,
  /** The similar companies of each as rows `(subject, found)`. They exist already. */
  candidates: (json: unknown): RawBuilder<unknown> =>
    sql`select subject, (${candidateList(references)}) as found from ${subjects(json)}`,
  /**
   * The possible duplicates of a new company.
   * @param found the similar companies that existed already
   * @param others the companies created before it in the same statement
   */
  rank(keys: Keys, found: unknown, others: { company: Company; keys: Keys }[]): PossibleDuplicate[] {
    const created = others.filter((other) => mayBeSimilar(keys, other.keys))
    return rankCandidates(identityIn(keys), [
      ...(found as Candidate[]),
      ...created.map((other) => ({ company: summaryOf(other.company), identity: identityIn(other.keys) })),
    ])
  },
}

const identityIn = ({ own_domain, name, own_country }: Keys) => ({
  domain: own_domain,
  name,
  country: own_country,
})

/** The conditions of `duplicate_candidates()`, except for the country. */
const mayBeSimilar = (keys: Keys, other: Keys): boolean =>
  (keys.own_domain !== null && keys.own_domain === other.own_domain) ||
  isOneOf(other.name_start, keys.start_1, keys.start_2) ||
  isOneOf(other.name_end, keys.end_1, keys.end_2) ||
  isOneOf(other.name_edges, keys.edges_1, keys.edges_2)

const isOneOf = (key: string | null, ...keys: (string | null)[]) => key !== null && keys.includes(key)

function summaryOf(company: Company): CompanySummary {
  const { id, name, website, country, country_code, hq_city, industry_category, status, created_at } = company
  return { id, name, website, country, country_code, hq_city, industry_category, status, created_at }
}

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

/** Looks for companies like a new one, in the statement that creates it. */
export const creationCheck = {
  keysOf,
  /** The SQL that makes the new company known to later checks, given its keys as a JSON array. */
  insertIdentity: (json: unknown): RawBuilder<unknown> => sql`
    insert into company_identities (company_id, domain, name, country, name_start, name_end, name_edges)
    select subject, own_domain, name, own_country, name_start, name_end, name_edges from ${subjects(json)}`,
  /** The similar companies as a row `(subject, found)`. They exist already. */
  candidates: (json: unknown): RawBuilder<unknown> =>
    sql`select subject, (${candidateList(references)}) as found from ${subjects(json)}`,
  /**
   * The possible duplicates of a new company.
   * @param found the similar companies
   */
  rank: (keys: Keys, found: unknown): PossibleDuplicate[] =>
    rankCandidates(identityIn(keys), found as Candidate[]),
}

const identityIn = ({ own_domain, name, own_country }: Keys) => ({
  domain: own_domain,
  name,
  country: own_country,
})

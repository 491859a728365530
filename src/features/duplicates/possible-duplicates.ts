import { type RawBuilder, sql } from 'kysely'
import {
  type CompanySummary,
  MAX_POSSIBLE_DUPLICATES,
  type PossibleDuplicate,
} from '#src/features/companies/possible-duplicate-schema.ts'
import type { Db } from '#src/platform/database/database.ts'
import { constant, utc } from '#src/platform/database/sql.ts'
import { argumentsOf, candidatesOf, MAX_PER_DOMAIN } from './candidates.ts'
import { type Identity, type IdentityFields, identityOf, type NameKeys, nameKeys } from './identity.ts'
import type { DuplicateCheckQuery } from './schema.ts'
import { matchOf } from './score.ts'

export interface Candidate {
  company: CompanySummary
  identity: Identity
}

/** For the statement that creates a company. */
export const creationCheck = {
  /** The values of both parts. */
  valuesOf(company: IdentityFields & { id: string }) {
    const identity = identityOf(company)
    const keys = nameKeys(identity.name)
    return { ...identity, ...keys, ...argumentsOf({ id: company.id, identity }) }
  },
  /** Makes the new company known to later checks. */
  insertIdentity: (values: Record<keyof CreationValues, unknown>): RawBuilder<unknown> => sql`
    insert into company_identities (company_id, domain, name, country, name_start, name_end, name_edges)
    values (${values.subject}, ${values.domain}, ${values.name}, ${values.country}, ${values.name_start},
      ${values.name_end}, ${values.name_edges})`,
  /** The similar companies as a JSON array, without the new one. */
  candidates: (values: Record<keyof CreationValues, unknown>): RawBuilder<unknown> => candidateList(values),
  /** The possible duplicates among the similar companies. */
  rank: (values: CreationValues, found: unknown): PossibleDuplicate[] =>
    rankCandidates(values, found as Candidate[]),
}

export type CreationValues = Identity & NameKeys & ReturnType<typeof argumentsOf>

/** The possible duplicates of a company that does not exist yet, or that is being edited. */
export async function checkDuplicates(
  db: Db,
  { name = '', website, country, country_code, exclude = '' }: DuplicateCheckQuery,
): Promise<PossibleDuplicate[]> {
  const identity = identityOf({
    name,
    website: website ?? null,
    country: country ?? null,
    country_code: country_code ?? null,
  })
  const { rows } = await sql<{
    found: Candidate[]
  }>`select (${candidateList(argumentsOf({ id: exclude, identity }))}) as found`.execute(db)
  return rankCandidates(identity, rows[0]?.found ?? [])
}

const summary = constant(sql`
  select companies.id, companies.name, website, companies.country, country_code, hq_city, industry_category, status,
    ${utc('created_at')}
  from companies where companies.id = company_id`)

const candidateList = (values: Parameters<typeof candidatesOf>[0]): RawBuilder<unknown> => sql`
  select coalesce(json_agg(json_build_object('identity', found, 'company', summary)), '[]')
  from ${candidatesOf(values)} found cross join lateral (${summary}) summary`

/** The candidates that may be the same company, the best first. */
export function rankCandidates(identity: Identity, found: Candidate[]): PossibleDuplicate[] {
  const candidates = [...new Map(found.map((candidate) => [candidate.company.id, candidate])).values()]
  const own = withoutSharedDomain(
    identity,
    candidates.map((candidate) => candidate.identity),
  )
  return candidates
    .flatMap(({ company, identity: other }) => {
      const match = matchOf(own, other)
      return match ? [{ company, ...match }] : []
    })
    .sort((one, other) => other.score - one.score || (one.company.id < other.company.id ? -1 : 1))
    .slice(0, MAX_POSSIBLE_DUPLICATES)
}

/** The identity without its domain, if so many of the candidates have it that it is no evidence. */
export function withoutSharedDomain(identity: Identity, candidates: readonly Identity[]): Identity {
  const sharing = candidates.filter(({ domain }) => domain !== null && domain === identity.domain)
  return sharing.length > MAX_PER_DOMAIN ? { ...identity, domain: null } : identity
}

import { type RawBuilder, sql } from 'kysely'
import {
  type CompanySummary,
  MAX_POSSIBLE_DUPLICATES,
  type PossibleDuplicate,
} from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { precompile, utc } from '#src/platform/database/sql.ts'
import { argumentsOf, candidatesOf, MAX_PER_DOMAIN } from './candidates.ts'
import { type Identity, identityOf } from './identity.ts'
import type { DuplicateCheckQuery } from './schema.ts'
import { matchOf } from './score.ts'

export interface Candidate {
  company: CompanySummary
  identity: Identity
}

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

const summary = precompile(sql`
  select companies.id, companies.name, website, companies.country, country_code, hq_city, industry_category, status,
    ${utc('created_at')}
  from companies where companies.id = company_id`)

/** The similar companies as a JSON array. */
export const candidateList = (values: Parameters<typeof candidatesOf>[0]): RawBuilder<unknown> => sql`
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

import { type RawBuilder, sql } from 'kysely'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { type Identity, keysToFind } from './identity.ts'

/** More companies with the same key are not compared: it says too little. */
const MAX_PER_KEY = 50
/** A domain that more companies have is no evidence: of a group, a fund or a directory. */
export const MAX_PER_DOMAIN = 10

/** A company to find candidates for. */
export interface Subject {
  id: string
  identity: Identity
}

export interface CandidateRow extends Identity {
  company_id: string
}

/** The types of the arguments of `duplicate_candidates()` that depend on the company, in their order. */
const ARGUMENTS = {
  subject: 'text',
  own_domain: 'text',
  own_country: 'text',
  start_1: 'text',
  start_2: 'text',
  end_1: 'text',
  end_2: 'text',
  edges_1: 'text',
  edges_2: 'text',
} as const

const limits = sql.raw(`${MAX_PER_DOMAIN + 1}, ${MAX_PER_KEY}`)

/** The values of these arguments. */
export function argumentsOf({ id, identity: { domain, name, country } }: Subject) {
  const [one, two] = keysToFind(name)
  return {
    subject: id,
    own_domain: domain,
    own_country: country,
    start_1: one?.name_start ?? null,
    start_2: two?.name_start ?? null,
    end_1: one?.name_end ?? null,
    end_2: two?.name_end ?? null,
    edges_1: one?.name_edges ?? null,
    edges_2: two?.name_edges ?? null,
  }
}

/**
 * The companies that may be duplicates of one company, as rows `(company_id, domain, name, country)`, some repeated.
 * @param values as `argumentsOf`
 */
export const candidatesOf = (values: Record<keyof typeof ARGUMENTS, unknown>): RawBuilder<unknown> => {
  const names = Object.keys(ARGUMENTS) as (keyof typeof ARGUMENTS)[]
  return sql`duplicate_candidates(${sql.join(names.map((name) => sql`${values[name]}`))}, ${limits})`
}

const argumentNames = sql.raw(Object.keys(ARGUMENTS).join(', '))

/** The companies that may be duplicates, as rows `(subject, company_id, domain, name, country)`. */
export const candidatesOfAll = (subjects: readonly Subject[]) => sql<CandidateRow & { subject: string }>`
  select distinct on (subject, company_id) subject, company_id, domain, name, country
  from ${rowsFrom('subjects', ARGUMENTS, subjects.map(argumentsOf))}
    cross join lateral duplicate_candidates(${argumentNames}, ${limits})`

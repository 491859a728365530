import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { idFromBytes } from '#src/platform/ids.ts'
import { candidatesOfAll, type Subject } from './candidates.ts'
import { type Identity, type IdentityFields, identityOf, nameKeys } from './identity.ts'
import { withoutSharedDomain } from './possible-duplicates.ts'
import { type Match, matchOf } from './score.ts'

/** A company with more duplicates is a sign of a bad import; the best suffice to find the others. */
const MAX_PAIRS_PER_COMPANY = 20

interface Pair extends Match {
  id: string
  older_id: string
  newer_id: string
}

/**
 * Compares companies with all others and stores the pairs found. Only for the holder of the lock `find duplicates`.
 * Pairs of companies in the trash stay, in case they are restored.
 */
export async function compareCompanies(transaction: Db, ids: readonly string[]): Promise<void> {
  const subjects = await readSubjects(transaction, ids)
  const existing = new Set(subjects.map(({ id }) => id))
  await forget(
    transaction,
    ids.filter((id) => !existing.has(id)),
  )
  if (subjects.length === 0) return
  await storeIdentities(transaction, subjects)
  await storePairs(transaction, subjects, await findPairs(transaction, subjects))
}

async function readSubjects(transaction: Db, ids: readonly string[]): Promise<Subject[]> {
  const { rows } = await sql<IdentityFields & { id: string }>`
    select id, name, website, country, country_code from companies where id = any(${[...ids]}) order by id`.execute(
    transaction,
  )
  return rows.map((row) => ({ id: row.id, identity: identityOf(row) }))
}

/** Forgets companies that are in the trash or gone. */
async function forget(transaction: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from company_identities where company_id = any(${ids})`.execute(transaction)
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as given(id)
    where not exists (select from trash where trash.id = given.id)`.execute(transaction)
  const gone = rows.map(({ id }) => id)
  if (gone.length > 0)
    await sql`delete from duplicates where older_id = any(${gone}) or newer_id = any(${gone})`.execute(
      transaction,
    )
}

const IDENTITY_COLUMNS = {
  company_id: 'text',
  domain: 'text',
  name: 'text',
  country: 'text',
  name_start: 'text',
  name_end: 'text',
  name_edges: 'text',
} as const

/** Makes companies known to later checks. */
export async function storeIdentities(transaction: Db, subjects: readonly Subject[]): Promise<void> {
  const rows = subjects.map(({ id, identity }) => ({
    company_id: id,
    ...identity,
    ...nameKeys(identity.name),
  }))
  const columns = sql.raw(Object.keys(IDENTITY_COLUMNS).join(', '))
  await sql`
    insert into company_identities as stored (${columns})
    select ${columns} from ${rowsFrom('given', IDENTITY_COLUMNS, rows)} order by company_id
    on conflict (company_id) do update set (domain, name, country, name_start, name_end, name_edges) =
      (excluded.domain, excluded.name, excluded.country, excluded.name_start, excluded.name_end, excluded.name_edges)
    where (stored.domain, stored.name, stored.country, stored.name_start, stored.name_end, stored.name_edges) is distinct from
      (excluded.domain, excluded.name, excluded.country, excluded.name_start, excluded.name_end, excluded.name_edges)`.execute(
    transaction,
  )
}

async function findPairs(transaction: Db, subjects: readonly Subject[]): Promise<Pair[]> {
  const { rows } = await candidatesOfAll(subjects).execute(transaction)
  const found = Map.groupBy(rows, ({ subject }) => subject)
  const pairs = new Map<string, Pair>()
  for (const { id, identity } of subjects)
    for (const pair of bestPairs(id, identity, found.get(id) ?? [])) pairs.set(pair.id, pair)
  return [...pairs.values()]
}

function bestPairs(id: string, identity: Identity, others: (Identity & { company_id: string })[]): Pair[] {
  const own = withoutSharedDomain(identity, others)
  const pairs = others.flatMap((other) => {
    const match = matchOf(own, other)
    const [older_id, newer_id] = id < other.company_id ? [id, other.company_id] : [other.company_id, id]
    return match ? [{ id: pairId(older_id, newer_id), older_id, newer_id, ...match }] : []
  })
  return pairs
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
    .slice(0, MAX_PAIRS_PER_COMPANY)
}

const PAIR_COLUMNS = {
  id: 'text',
  older_id: 'text',
  newer_id: 'text',
  score: 'float8',
  reasons: 'text',
} as const

/** Dismissed pairs stay, found or not. */
async function storePairs(
  transaction: Db,
  subjects: readonly Subject[],
  pairs: readonly Pair[],
): Promise<void> {
  const ids = subjects.map(({ id }) => id)
  const found = pairs.map(({ id }) => id)
  await sql`
    delete from duplicates where dismissed_at is null and (older_id = any(${ids}) or newer_id = any(${ids}))
      and id <> all(${found})
      and not exists (select from trash where trash.id in (older_id, newer_id))`.execute(transaction)
  if (pairs.length === 0) return
  const rows = pairs.map((pair) => ({ ...pair, reasons: pair.reasons.join() }))
  await sql`
    insert into duplicates (id, older_id, newer_id, score, reasons)
    select id, older_id, newer_id, score, string_to_array(reasons, ',')
    from ${rowsFrom('found', PAIR_COLUMNS, rows)} order by id
    on conflict (id) do update set score = excluded.score, reasons = excluded.reasons
    where (duplicates.score, duplicates.reasons) is distinct from (excluded.score, excluded.reasons)`.execute(
    transaction,
  )
}

/** The id of a pair of companies: always the same, so that a dismissal holds when the pair is found again. */
export const pairId = (older_id: string, newer_id: string): string =>
  idFromBytes('dup', createHash('sha256').update(`${older_id} ${newer_id}`).digest().subarray(0, 16))

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { type Json, precompile, utc, utcText } from '#src/platform/database/sql.ts'
import type { Decision } from './schema.ts'

/** A decision as it is stored. */
export interface StoredDecision extends Omit<Decision, 'company_name' | 'votes' | 'as_of'> {
  /** By the email address of the user. */
  votes: Votes
}

type StoredVote = Omit<Decision['votes'][number], 'user_email'>
export type Votes = Record<string, StoredVote>

/** The votes as the API shows them. */
export const listVotes = (votes: Votes): Decision['votes'] =>
  Object.entries(votes)
    .map(([user_email, given]) => ({ user_email, ...given }))
    .sort((one, other) => (one.voted_at + one.user_email < other.voted_at + other.user_email ? -1 : 1))

/** What the ledger calls the vote of a user. After a dot, an erasure would take the address for the end of a longer one. */
export const voteName = (email: string): string => `votes:${email}`

/** Whose vote a field of the ledger is; undefined: it is another field. */
export const voterOf = (name: string): string | undefined =>
  name.startsWith('votes:') ? name.slice('votes:'.length) : undefined

const companyColumn = (column: string) =>
  sql`(select ${sql.ref(column)} from companies where companies.id = decisions.company_id)`

/** The `as_of` of a decision: a company has no past before it was recorded. */
export const asOfOf = ({ decided_at }: { decided_at: string | null }, company_created_at: string) =>
  decided_at !== null && Date.parse(decided_at) >= Date.parse(company_created_at) ? decided_at : null

/** A decision's fields as the API shows them. */
export const decisionFields =
  precompile(sql`decisions.id, company_id, ${companyColumn('name')} as company_name, deal_id,
  outcome, reasons, body, asked, (
    select coalesce(json_agg(json_build_object('user_email', key, 'vote', value -> 'vote', 'comment', value -> 'comment',
      'voted_at', value -> 'voted_at') order by value ->> 'voted_at', key), '[]') from jsonb_each(votes)) as votes,
  ${utc('decided_at')}, decisions.revisit_on::text as revisit_on,
  case when decided_at >= ${companyColumn('created_at')} then ${utcText(sql`decided_at`)} end as as_of,
  author_email, ${utc('created_at')}, ${utc('updated_at')}`)

export async function readDecision(db: Db, id: string): Promise<Json | undefined> {
  const { rows } = await sql<{ record: Json }>`
    select row_to_json(record)::text as record
    from (select ${decisionFields} from decisions where decisions.id = ${id}) record`.execute(db)
  return rows[0]?.record
}

const storedFields = sql`id, company_id, deal_id, outcome, reasons, body, asked, votes, ${utc('decided_at')},
  revisit_on::text as revisit_on, author_email, ${utc('created_at')}, ${utc('updated_at')}`

/** The stored decisions that meet a condition, oldest first. */
export async function readStored(db: Db, where: RawBuilder<unknown>): Promise<StoredDecision[]> {
  const { rows } = await sql<StoredDecision>`
    select ${storedFields} from decisions where ${where} order by id`.execute(db)
  return rows
}

/**
 * The decisions that are not in the trash, locked until the transaction ends. Their companies are locked first: triggers write
 * them too, and merges lock companies before their decisions.
 */
export async function lockDecisions(transaction: Db, ids: readonly string[]): Promise<StoredDecision[]> {
  await sql`
    select from companies where id in (select company_id from decisions where id = any(${[...ids]}))
    order by id for no key update`.execute(transaction)
  const { rows } = await sql<StoredDecision>`
    select ${storedFields} from decisions where id = any(${[...ids]}) order by id for no key update`.execute(
    transaction,
  )
  return rows
}

export async function insertDecision(transaction: Db, decision: StoredDecision): Promise<void> {
  await transaction.insertInto('decisions').values(rowOf(decision)).execute()
}

const dateOf = (time: string | null) => time && new Date(time)

function rowOf({ votes, decided_at, created_at, updated_at, ...fields }: StoredDecision) {
  return {
    ...fields,
    votes: JSON.stringify(votes),
    decided_at: dateOf(decided_at) as Date | null,
    created_at: new Date(created_at),
    updated_at: new Date(updated_at),
  }
}

/** Overwrites a decision. */
export async function writeDecision(transaction: Db, decision: StoredDecision): Promise<void> {
  const { id, created_at: _created, ...row } = rowOf(decision)
  await transaction.updateTable('decisions').set(row).where('id', '=', id).execute()
}

/** The authors of decisions, also of those in the trash. */
export async function readAuthors(db: Db, ids: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ author_email: string | null }>`
    select author_email from decisions where id = any(${[...ids]})
    union all select content -> 'record' ->> 'author_email' from trash
      where id = any(${[...ids]}) and entity_type = 'decision'`.execute(db)
  return rows.map(({ author_email }) => author_email)
}

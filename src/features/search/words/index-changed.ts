import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type EmbeddedFields, embeddedFields, embeddingText } from '#src/features/search/embedding-text.ts'
import { enqueueChanges } from '#src/features/search/vectors/vector-backlog.ts'
import { tryLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { documentWeights } from '#src/platform/models/lexical.ts'
import { textHash } from '#src/platform/text-hash.ts'
import type { LexicalIndex } from './lexical-index.ts'

/** So few that other requests hardly wait for the embedded database's one connection. */
const BATCH = 50

interface Changed extends EmbeddedFields {
  id: string
  change: string
}

/**
 * Brings the index of words up to date with some of the companies that have changed, those that changed first, and
 * notes that their vectors are to be made.
 * @returns how many; 0 when none was left, or another process is at it
 */
export async function embedChangedCompanies(db: Db, index: LexicalIndex): Promise<number> {
  await index.prepare()
  return db.transaction().execute(async (transaction) => {
    if (!(await tryLock(transaction, 'search indexes'))) return 0
    const { rows } = await sql<Changed>`
      select company_id as id, change::text, ${embeddedFields}
      from (select * from companies_to_embed order by change limit ${BATCH}) due
      join companies on companies.id = company_id`.execute(transaction)
    await index.store(
      transaction,
      rows.map((company) => {
        const text = embeddingText(company)
        return { id: company.id, text_hash: textHash(text), weights: documentWeights(text) }
      }),
    )
    await enqueueChanges(transaction, rows)
    // A company that has changed again meanwhile has another number by now, and stays; one that is changing, too.
    await sql`
      with unchanged as materialized (
        select company_id from companies_to_embed join unnest(${rows.map(({ id }) => id)}::text[],
          ${rows.map(({ change }) => change)}::bigint[]) as done(id, number) on company_id = id and change = number
        for update of companies_to_embed skip locked)
      delete from companies_to_embed using unchanged
      where companies_to_embed.company_id = unchanged.company_id`.execute(transaction)
    return rows.length
  })
}

/** Notes all companies as changed. */
export const enqueueAllCompanies = (db: Db): Promise<unknown> =>
  sql`insert into companies_to_embed (company_id) select id from companies on conflict do nothing`.execute(db)

/** Notes all companies as due for a model. */
export const enqueueAllVectors = (db: Db, model: string): Promise<unknown> =>
  sql`
    insert into embeddings_due (model, id, change, due_at) select ${model}, id, 0, now() from companies
    on conflict (model, id) do update set due_at = excluded.due_at, reason = null`.execute(db)

/** Brings the index up to date, and leaves other work three times as much time as it takes. */
export async function indexChangedCompanies(
  db: Db,
  index: LexicalIndex,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    const start = performance.now()
    if ((await embedChangedCompanies(db, index)) === 0) return
    await sleep(3 * (performance.now() - start), undefined, { signal: stopped }).catch(() => {})
  }
}

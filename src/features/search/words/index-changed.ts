import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { tryLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { documentWeights } from '#src/platform/lexical.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { type EmbeddedFields, embeddedFields, embeddingText } from '../embedding-text.ts'
import { enqueueChanges, removeVectors } from '../vectors/vector-backlog.ts'
import { isMissing, isPreferred } from '../vectors/vector-limit.ts'
import type { LexicalIndex } from './lexical-index.ts'

/** Small, because other requests wait for the embedded database's only connection. */
const BATCH_SIZE = 50

interface Changed extends EmbeddedFields {
  id: string
  change: string
}

/**
 * Indexes the words of a batch of changed companies, earliest change first, and queues their vectors. Removes deleted
 * companies from the indexes.
 * @returns the size of the batch; 0 if none is left or another process is indexing
 */
export async function indexNextBatch(db: Db, index: LexicalIndex): Promise<number> {
  await index.prepare()
  return db.transaction().execute(async (transaction) => {
    if (!(await tryLock(transaction, 'search indexes'))) return 0
    const { rows: due } = await sql<Changed & { exists: boolean }>`
      select company_id as id, change::text, companies.id is not null as exists, ${embeddedFields}
      from (select * from companies_to_embed order by change limit ${BATCH_SIZE}) due
      left join companies on companies.id = company_id`.execute(transaction)
    const rows = due.filter(({ exists }) => exists)
    const deleted = due.filter(({ exists }) => !exists).map(({ id }) => id)
    await index.remove(transaction, deleted)
    await removeVectors(transaction, deleted)
    await index.store(
      transaction,
      rows.map((company) => {
        const text = embeddingText(company)
        return { id: company.id, text_hash: textHash(text), weights: documentWeights(text) }
      }),
    )
    await enqueueChanges(transaction, rows)
    const done = due.map(({ id, change }) => ({ id, number: change }))
    // Keeps companies that have changed again, which have a new number, and those that are locked by a change.
    await sql`
      with unchanged as materialized (
        select company_id from companies_to_embed join
          ${rowsFrom('done', { id: 'text', number: 'bigint' }, done)} on company_id = id and change = number
        for update of companies_to_embed skip locked)
      delete from companies_to_embed using unchanged
      where companies_to_embed.company_id = unchanged.company_id`.execute(transaction)
    return due.length
  })
}

/** Queues all companies for the index of words. */
export const enqueueAllCompanies = (db: Db): Promise<unknown> =>
  sql`insert into companies_to_embed (company_id) select id from companies on conflict do nothing`.execute(db)

/** Queues all companies for a model's vectors. */
export const enqueueAllVectors = (db: Db, model: string): Promise<unknown> =>
  enqueueVectors(db, model, sql`true`)

/** Queues those of the companies that have no vector of this model. */
export const enqueueMissingVectors = (
  db: Db,
  model: string,
  companies: RawBuilder<boolean>,
): Promise<unknown> => enqueueVectors(db, model, sql`${companies} and ${isMissing(sql`companies.id`, model)}`)

/** The latest is embedded first: companies with a deal or a thesis, then the newest. */
const enqueueVectors = (db: Db, model: string, where: RawBuilder<unknown>): Promise<unknown> =>
  sql`
    insert into embeddings_due (model, id, change, due_at)
    select ${model}, id, 0, case when ${isPreferred(sql`companies.id`)} then now() else least(now(), created_at) end
    from companies where ${where}
    on conflict (model, id) do update set due_at = excluded.due_at, reason = null`.execute(db)

/** Indexes all changed companies. Pauses three times as long as each batch takes, to leave time for other work. */
export async function indexChangedCompanies(
  db: Db,
  index: LexicalIndex,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    const start = performance.now()
    if ((await indexNextBatch(db, index)) === 0) return
    await sleep(3 * (performance.now() - start), undefined, { signal: stopped }).catch(() => {})
  }
}

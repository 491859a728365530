import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { StoredModel } from './stored-model.ts'

/** A document that waits for a vector. */
export interface PendingDocument {
  id: string
  /** The number of the change of its text. Later changes have higher numbers. */
  change: string
}

const CHANGE_COLUMNS = { id: 'text', change: 'bigint' } as const

/** After this time another process may claim the same documents. */
const CLAIM_SECONDS = 180
/** After a failure of the endpoint, other documents come first. */
const RETRY_SECONDS = 5
/** A document that failed because of its text is retried, in case the failure was temporary. */
const FAILED_RETRY_SECONDS = 24 * 3600

/** Queues documents for every model that has not been replaced. */
export async function enqueueChanges(transaction: Db, changes: PendingDocument[]): Promise<void> {
  await sql`
    insert into embeddings_due (model, id, change, due_at)
    select key, changed.id, changed.change, now()
    from ${rowsFrom('changed', CHANGE_COLUMNS, changes)}
    cross join embedding_models where state <> 'former' order by key, changed.id
    on conflict (model, id) do update
      set change = excluded.change, due_at = excluded.due_at, reason = null`.execute(transaction)
}

/** Removes the vectors of deleted documents, and takes the documents out of the queue. */
export async function removeVectors(transaction: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from embeddings_due where id = any(${ids})`.execute(transaction)
  const { rows } = await sql`select from pg_class where oid = to_regclass('embeddings')`.execute(transaction)
  if (rows.length > 0) await sql`delete from embeddings where id = any(${ids})`.execute(transaction)
}

/** Claims queued documents, latest change first. No other process gets them until the claim expires. */
export async function claimPending(db: Db, { key }: StoredModel, limit: number): Promise<PendingDocument[]> {
  const { rows } = await sql<PendingDocument>`
    with claimed as materialized (
      select id from embeddings_due where model = ${key} and due_at <= now()
      order by due_at desc limit ${limit} for update skip locked)
    update embeddings_due due set due_at = now() + make_interval(secs => ${CLAIM_SECONDS})
    from claimed where due.model = ${key} and due.id = claimed.id returning due.id, change::text`.execute(db)
  return rows
}

/** Releases claimed documents that were not embedded: immediately, or with a delay after a failure. */
export async function releasePending(
  db: Db,
  model: StoredModel,
  claimed: PendingDocument[],
  hasFailed: boolean,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockPending(transaction, model, claimed)
    await sql`
      update embeddings_due set due_at = now() + make_interval(secs => ${hasFailed ? RETRY_SECONDS : 0})
      from ${rowsFrom('claimed', CHANGE_COLUMNS, claimed)}
      where model = ${model.key} and embeddings_due.id = claimed.id and embeddings_due.change = claimed.change
        and reason is null`.execute(transaction)
  })
}

/** Releases all claims, which a crashed process left. Call it only if no other process runs. */
export async function releaseAll(db: Db): Promise<void> {
  await sql`update embeddings_due set due_at = now() where due_at > now() and reason is null`.execute(db)
}

/** Queues documents again, and clears their failures: a worker has submitted vectors for them. */
export async function requeue(transaction: Db, { key }: StoredModel, ids: string[]): Promise<void> {
  await sql`
    with locked as materialized (
      select id from embeddings_due where model = ${key} and id = any(${ids}) order by id for update)
    update embeddings_due set due_at = now(), reason = null from locked
    where model = ${key} and embeddings_due.id = locked.id`.execute(transaction)
}

/**
 * The ids of those documents that still wait for a vector, locked until the transaction ends. If a later change has
 * already been embedded, an earlier one must not overwrite it.
 */
export async function lockPending(
  transaction: Db,
  { key }: StoredModel,
  claimed: PendingDocument[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from embeddings_due where model = ${key} and id = any(${claimed.map(({ id }) => id)})
    order by id for update`.execute(transaction)
  return new Set(rows.map(({ id }) => id))
}

/** Removes locked documents from the queue, or marks them as failed. Documents that have changed since stay queued. */
export async function settlePending(
  transaction: Db,
  { key }: StoredModel,
  settled: (PendingDocument & { reason?: string })[],
): Promise<void> {
  const done = settled.filter(({ reason }) => !reason)
  const failed = settled.flatMap(({ id, change, reason }) => (reason ? [{ id, change, reason }] : []))
  await sql`
    delete from embeddings_due
    using ${rowsFrom('done', CHANGE_COLUMNS, done)}
    where model = ${key} and embeddings_due.id = done.id and embeddings_due.change = done.change`.execute(
    transaction,
  )
  await sql`
    update embeddings_due
    set due_at = now() + make_interval(secs => ${FAILED_RETRY_SECONDS}), reason = failed.reason
    from ${rowsFrom('failed', { ...CHANGE_COLUMNS, reason: 'text' }, failed)}
    where model = ${key} and embeddings_due.id = failed.id and embeddings_due.change = failed.change`.execute(
    transaction,
  )
}

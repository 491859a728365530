import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { StoredModel } from './stored-model.ts'

/** A document whose vector is to be made. */
export interface PendingDocument {
  id: string
  /** Which change of its text this is for; a later one has a higher number. */
  change: string
}

/** So long one process has to embed what it has claimed, before another may. */
const CLAIM_SECONDS = 180
/** After a failure others come first. */
const PAUSE_SECONDS = 5
/** What failed by its text may have failed by a passing fault. */
const FAILED_PAUSE_SECONDS = 24 * 3600

/** Notes documents as due, for every model that has not been given up. */
export async function enqueueChanges(transaction: Db, changes: PendingDocument[]): Promise<void> {
  await sql`
    insert into embeddings_due (model, id, change, due_at)
    select key, changed.id, changed.change, now()
    from unnest(${changes.map(({ id }) => id)}::text[], ${changes.map(({ change }) => change)}::bigint[])
      as changed(id, change)
    cross join embedding_models where state <> 'former' order by key, changed.id
    on conflict (model, id) do update
      set change = excluded.change, due_at = excluded.due_at, reason = null`.execute(transaction)
}

/** Takes documents that are due, those that changed last first; nobody else is given them meanwhile. */
export async function claimPending(db: Db, { key }: StoredModel, limit: number): Promise<PendingDocument[]> {
  const { rows } = await sql<PendingDocument>`
    with claimed as materialized (
      select id from embeddings_due where model = ${key} and due_at <= now()
      order by due_at desc limit ${limit} for update skip locked)
    update embeddings_due due set due_at = now() + make_interval(secs => ${CLAIM_SECONDS})
    from claimed where due.model = ${key} and due.id = claimed.id returning due.id, change::text`.execute(db)
  return rows
}

/** Gives documents back that were claimed and could not be embedded: at once, or after others when that failed. */
export async function releasePending(
  db: Db,
  model: StoredModel,
  claimed: PendingDocument[],
  hasFailed: boolean,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockPending(transaction, model, claimed)
    await sql`
      update embeddings_due set due_at = now() + make_interval(secs => ${hasFailed ? PAUSE_SECONDS : 0})
      from unnest(${claimed.map(({ id }) => id)}::text[], ${claimed.map(({ change }) => change)}::bigint[])
        as claimed(id, change)
      where model = ${model.key} and embeddings_due.id = claimed.id and embeddings_due.change = claimed.change
        and reason is null`.execute(transaction)
  })
}

/** Lets documents be claimed again that a process took which is no more; to be called when there is no other. */
export async function releaseAll(db: Db): Promise<void> {
  await sql`update embeddings_due set due_at = now() where due_at > now() and reason is null`.execute(db)
}

/** Has documents looked at again for which somebody else has made a vector: those that had failed have not any more. */
export async function enqueueAgain(transaction: Db, { key }: StoredModel, ids: string[]): Promise<void> {
  await sql`
    with locked as materialized (
      select id from embeddings_due where model = ${key} and id = any(${ids}) order by id for update)
    update embeddings_due set due_at = now(), reason = null from locked
    where model = ${key} and embeddings_due.id = locked.id`.execute(transaction)
}

/**
 * Of these documents, those that still wait for a vector, locked until the transaction ends. A later change may have
 * been embedded already: then an earlier one must not take its place.
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

/**
 * Notes what has come of documents that are locked: no longer due, or failed for a reason. Those that changed meanwhile
 * stay due.
 */
export async function settlePending(
  transaction: Db,
  { key }: StoredModel,
  settled: (PendingDocument & { reason?: string })[],
): Promise<void> {
  const [failed, done] = [settled.filter(({ reason }) => reason), settled.filter(({ reason }) => !reason)]
  await sql`
    delete from embeddings_due
    using unnest(${done.map(({ id }) => id)}::text[], ${done.map(({ change }) => change)}::bigint[]) as done(id, change)
    where model = ${key} and embeddings_due.id = done.id and embeddings_due.change = done.change`.execute(
    transaction,
  )
  await sql`
    update embeddings_due
    set due_at = now() + make_interval(secs => ${FAILED_PAUSE_SECONDS}), reason = failed.reason
    from unnest(${failed.map(({ id }) => id)}::text[], ${failed.map(({ change }) => change)}::bigint[],
      ${failed.map(({ reason }) => reason)}::text[]) as failed(id, change, reason)
    where model = ${key} and embeddings_due.id = failed.id and embeddings_due.change = failed.change`.execute(
    transaction,
  )
}

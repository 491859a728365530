import { type RawBuilder, sql } from 'kysely'
import { tryLock } from '#src/platform/database/advisory-locks.ts'
import { type BatchedDb, BatchSize } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { CustomFieldEntity, CustomFieldType } from './schema.ts'
import { hasValue, tableOf } from './sql.ts'

/** Small, because writers of these records wait for it. */
const MAX_BATCH_SIZE = 500

interface Removal {
  id: string
  entity: CustomFieldEntity
  key: string
  type: CustomFieldType
  is_deleted: boolean
  removed_options: string[]
}

/**
 * Removes the values of deleted fields and of removed options from all records, and then the deleted fields themselves.
 * After a crash it starts with the first record again; those without the value are skipped.
 */
export async function removeDeletedValues(
  { db, maxBatchMs }: BatchedDb,
  stopped: AbortSignal,
): Promise<void> {
  const { rows } = await sql<Removal>`
    select id, entity, key, type, deleted_at is not null as is_deleted, removed_options from fields
    where deleted_at is not null or removed_options <> '{}' order by id`.execute(db)
  for (const removal of rows) {
    const size = new BatchSize(MAX_BATCH_SIZE, maxBatchMs)
    let last: string | undefined = ''
    while (last !== undefined && !stopped.aborted) last = await removeBatch(db, removal, last, size)
  }
}

/** Returns the last record of the batch; undefined at the end, or if another process is at work. */
const removeBatch = (db: Db, removal: Removal, after: string, size: BatchSize): Promise<string | undefined> =>
  db.transaction().execute(async (transaction) => {
    if (!(await tryLock(transaction, 'field values'))) return undefined
    const limit = size.records
    const countOf = (last: string | undefined) => (last === undefined ? 0 : limit)
    return size.measure(() => removeFrom(transaction, removal, after, limit), countOf)
  })

async function removeFrom(
  transaction: Db,
  removal: Removal,
  after: string,
  limit: number,
): Promise<string | undefined> {
  const table = tableOf(removal.entity)
  const { is_deleted, removed_options } = removal
  const { rows } = await sql<{ id: string }>`
      with batch as materialized (
        select id from ${table} record where id > ${after} and ${hasValue(removal, is_deleted ? undefined : removed_options)}
        order by id limit ${limit} for no key update)
      update ${table} record set custom = ${withoutValues(removal)} from batch where record.id = batch.id
      returning record.id`.execute(transaction)
  if (rows.length === 0) await finish(transaction, removal)
  return rows
    .map(({ id }) => id)
    .sort()
    .at(-1)
}

function withoutValues({ key, type, is_deleted, removed_options }: Removal): RawBuilder<unknown> {
  if (is_deleted || type !== 'multi_select') return sql`custom - ${key}::text`
  const rest = sql`(custom -> ${key}::text) - ${removed_options}::text[]`
  return sql`case when ${rest} = '[]' then custom - ${key}::text
    else jsonb_set(custom, array[${key}::text], ${rest}) end`
}

async function finish(transaction: Db, { id, is_deleted, removed_options }: Removal): Promise<void> {
  if (is_deleted) await sql`delete from fields where id = ${id}`.execute(transaction)
  else
    await sql`
      update fields set removed_options = array(
        select unnest(removed_options) except select unnest(${removed_options}::text[]))
      where id = ${id}`.execute(transaction)
}

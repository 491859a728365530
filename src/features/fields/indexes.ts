import { type RawBuilder, sql } from 'kysely'
import { withLockIfFree } from '#src/platform/database/advisory-locks.ts'
import { cancelable } from '#src/platform/database/cancel.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idTime } from '#src/platform/ids.ts'
import { readDefinitions } from './custom-fields.ts'
import type { CustomField } from './schema.ts'
import { customOptions, customValue, foldedCustomValue, tableName, tableOf } from './sql.ts'

interface Index {
  name: string
  field: CustomField
  on: RawBuilder<unknown>
}

/** Whether an import is running. */
export type IsImporting = (db: Db) => Promise<boolean>

const PREFIX = 'custom_fld_'
/** How long the indexes of a new field wait for imports, which write slower with them: an import may never end. */
const MAX_WAIT_MS = 3600_000

/** Rows in the order of the field and then of their ids, as lists sort them. */
const ordered = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`((${value})) desc nulls last, id desc`

/** The indexes of a field: one that finds and sorts its values, and for text also one that sorts it without case. */
export function indexesOf(field: CustomField): Index[] {
  const { id, type } = field
  const name = `custom_${id}`
  const btree = (on: RawBuilder<unknown>) => sql`(${on})`
  if (type === 'long_text') return []
  if (type === 'multi_select')
    return [
      { name, field, on: sql`using gin ((${customOptions(field)})) with (gin_pending_list_limit = 256)` },
    ]
  const value = { name, field, on: btree(ordered(customValue(field))) }
  return type === 'text'
    ? [value, { name: `${name}_folded`, field, on: btree(ordered(foldedCustomValue(field))) }]
    : [value]
}

/**
 * Creates the missing indexes of custom fields without blocking writes, and drops those of deleted fields. An index whose
 * creation was interrupted is rebuilt. Only one process does this at a time. New fields wait for imports.
 * @param stopped cancels the statement that runs
 */
export async function maintainFieldIndexes(
  db: Db,
  stopped: AbortSignal,
  isImporting: IsImporting,
): Promise<void> {
  while (!stopped.aborted && (await changeOneIndex(db, stopped, isImporting)));
}

/** How many indexes of custom fields are still missing. Only reads. */
export const countMissingIndexes = async (db: Db): Promise<number> =>
  (await compareIndexes(db, async () => false)).missing.length

/** Other requests use the embedded database's only connection between two indexes. Returns whether anything was done. */
async function changeOneIndex(db: Db, stopped: AbortSignal, isImporting: IsImporting): Promise<boolean> {
  const { missing, surplus } = await compareIndexes(db, isImporting)
  if (missing.length + surplus.length === 0) return false
  let isChanged = false
  await withLockIfFree(db, 'field indexes', async (connection) => {
    const { missing, surplus } = await compareIndexes(connection, isImporting)
    const [first, next] = missing
    const building = cancelable(connection, stopped)
    for (const name of surplus.slice(0, 1))
      await sql`drop index concurrently if exists ${sql.id(name)}`.execute(building)
    if (first) await buildIndex(connection, building, first)
    // Only then does the planner know the values of the expressions.
    if (first && first.field.entity !== next?.field.entity)
      await sql`analyze ${tableOf(first.field.entity)}`.execute(building)
    isChanged = first !== undefined || surplus.length > 0
  })
  return isChanged
}

async function buildIndex(connection: Db, building: Db, { name, field, on }: Index): Promise<void> {
  await sql`drop index concurrently if exists ${sql.id(name)}`.execute(building)
  // Parallel workers share memory through /dev/shm, which is limited to 64 MB in a container.
  await sql`set max_parallel_maintenance_workers = 0`.execute(connection)
  try {
    await sql`create index concurrently ${sql.id(name)} on ${sql.table(tableName(field.entity))} ${on}`.execute(
      building,
    )
  } finally {
    await sql`reset max_parallel_maintenance_workers`.execute(connection)
  }
}

async function compareIndexes(
  db: Db,
  isImporting: IsImporting,
): Promise<{ missing: Index[]; surplus: string[] }> {
  const fields = await readDefinitions(db)
  const wanted = fields.toSorted((a, b) => (a.entity < b.entity ? -1 : 1)).flatMap(indexesOf)
  const { rows } = await sql<{ name: string; valid: boolean }>`
    select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
    where starts_with(relname, ${PREFIX}) and relnamespace = current_schema()::regnamespace`.execute(db)
  const valid = new Set(rows.filter((row) => row.valid).map((row) => row.name))
  const names = new Set(wanted.map((index) => index.name))
  const missing = wanted.filter((index) => !valid.has(index.name))
  const mayWait = ({ field }: Index) => idTime(field.id).getTime() > Date.now() - MAX_WAIT_MS
  const isWaiting = missing.some(mayWait) && (await isImporting(db))
  return {
    missing: isWaiting ? missing.filter((index) => !mayWait(index)) : missing,
    surplus: rows.map((row) => row.name).filter((name) => !names.has(name)),
  }
}

import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { BackupRefused } from './backup-refused.ts'
import type { Schema, TableDescription } from './manifest.ts'

interface Constraint {
  table: string
  name: string
  definition: string
}

/** @throws BackupRefused if the service has used the database before */
export async function requireNoTables(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname limit 1`.execute(db)
  if (rows[0])
    throw new BackupRefused(
      `The database is not empty: it has the table ${rows[0].name}. Restore into an empty one (DATABASE_URL, DATA_DIR).`,
    )
}

/**
 * Creates the tables that migrations do not, such as those of vectors.
 * @returns the names of those that need an extension that the server does not have
 */
export async function createMissingTables(transaction: Db, { tables }: Schema): Promise<string[]> {
  const leftOut: string[] = []
  for (const { name, columns, primary_key } of tables) {
    const { rows } = await sql<{
      exists: boolean
    }>`select to_regclass(${name}) is not null as exists`.execute(transaction)
    if (rows[0]?.exists) continue
    if (columns.some(({ type }) => /vec/.test(type)) && !(await hasVectors(transaction))) {
      leftOut.push(name)
      continue
    }
    const parts = columns.map(
      ({ name: column, type, required }) =>
        sql`${sql.ref(column)} ${sql.raw(type)}${sql.raw(required ? ' not null' : '')}`,
    )
    if (primary_key) parts.push(sql.raw(primary_key))
    await sql`create table ${sql.table(name)} (${sql.join(parts)})`.execute(transaction)
  }
  return leftOut
}

async function hasVectors(transaction: Db): Promise<boolean> {
  const { rows } = await sql<{ available: boolean }>`
    select exists (select from pg_available_extensions where name = 'vector') as available`.execute(
    transaction,
  )
  if (!rows[0]?.available) return false
  await sql`create extension if not exists vector`.execute(transaction)
  return true
}

/**
 * Empties the tables and takes away what rows would be checked with one by one: triggers, indexes, and foreign keys.
 * @returns the foreign keys
 */
export async function prepareLoading(transaction: Db, tables: readonly string[]): Promise<Constraint[]> {
  const { rows: constraints } = await sql<Constraint>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid::regclass::text = any(${ordinary(tables)})`.execute(
    transaction,
  )
  for (const { table, name } of constraints)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(transaction)
  const { rows: indexes } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where schemaname = current_schema() and tablename = any(${ordinary(tables)})
      and not exists (select from pg_constraint where conindid = format('%I.%I', schemaname, indexname)::regclass)`.execute(
    transaction,
  )
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(transaction)
  for (const table of ordinary(tables)) {
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(transaction)
    await sql`delete from ${sql.table(table)}`.execute(transaction)
  }
  return constraints
}

/** The tables outside of the queues' schema, which checks its own rows. */
const ordinary = (tables: readonly string[]) => tables.filter((name) => !name.includes('.'))

/** Inserts rows, given as a JSON array. A queue that exists stays as it is. */
export async function insertRows(
  transaction: Db,
  { name, columns }: TableDescription,
  json: string,
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)))
  const table = sql.table(name)
  await sql`
    insert into ${table} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${table}, ${json}::json)
    ${sql.raw(name.includes('.') ? 'on conflict do nothing' : '')}`.execute(transaction)
}

/**
 * Builds what `prepareLoading` has taken away as it was in the backup, and sets the sequences.
 * @param check called before each step, to give up
 */
export async function finishLoading(
  transaction: Db,
  { indexes, sequences }: Schema,
  tables: readonly string[],
  constraints: readonly Constraint[],
  check: () => void,
): Promise<void> {
  const present = new Set(tables)
  for (const { table, definition } of indexes)
    if (present.has(table)) {
      check()
      await sql.raw(unqualified(definition)).execute(transaction)
    }
  for (const { table, name, definition } of constraints) {
    check()
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      transaction,
    )
  }
  for (const table of ordinary(tables))
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(transaction)
  for (const { name, value, is_called } of sequences)
    await sql`select setval(${name}::regclass, ${value}::bigint, ${is_called})`.execute(transaction)
  await sql`analyze`.execute(transaction)
}

/** The schema may have another name here. */
const unqualified = (definition: string) => definition.replace(/ ON (?:ONLY )?[^ ."]+\./, ' ON ')

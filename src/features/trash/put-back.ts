import { type QueryResult, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { Obstacle, PreviousValues } from './kind.ts'

/** A previous value that is the id of another record. */
interface Reference {
  id: string
  /** The id of the record that it refers to. */
  value: string
}

/** The previous values of a field that refers to other records. */
const referencesIn = (previous: PreviousValues, field: string): Reference[] =>
  [...previous].flatMap(([id, values]) => {
    const value = values[field]
    return typeof value === 'string' ? [{ id, value }] : []
  })

/**
 * The references to records that do not exist. Locks the others, so that they stay until the transaction ends.
 * @param table where the records are that the field refers to
 */
export async function findMissingReferences(
  transaction: Db,
  previous: PreviousValues,
  field: string,
  table: 'companies' | 'theses',
  reason: Obstacle['reason'],
): Promise<Obstacle[]> {
  const references = referencesIn(previous, field)
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${references.map(({ value }) => value)})
    for key share`.execute(transaction)
  const existing = new Set(rows.map(({ id }) => id))
  return references.filter(({ value }) => !existing.has(value)).map(({ id }) => ({ id, field, reason }))
}

/** The previous values of a unique field that another record has now. */
export async function findTaken(
  previous: PreviousValues,
  field: string,
  reason: Obstacle['reason'],
  lookUp: (values: unknown[]) => Promise<QueryResult<unknown>>,
): Promise<Obstacle[]> {
  const wanted = [...previous].filter(([_id, values]) => field in values)
  if (wanted.length === 0) return []
  const { rows } = (await lookUp(wanted.map(([_id, values]) => values[field]))) as {
    rows: { value: unknown }[]
  }
  const taken = new Set(rows.map(({ value }) => value))
  return wanted.filter(([_id, values]) => taken.has(values[field])).map(([id]) => ({ id, field, reason }))
}

/** Writes fields of one record. */
export async function setFields(
  transaction: Db,
  table: 'theses' | 'dealflow',
  id: string,
  values: Record<string, unknown>,
  updated_at: string,
): Promise<void> {
  // The driver would turn an array into one of PostgreSQL's.
  const columns = Object.entries(values).map(([field, value]) => [
    field,
    Array.isArray(value) ? JSON.stringify(value) : value,
  ])
  await transaction
    .updateTable(table)
    .set({ ...Object.fromEntries(columns), updated_at: new Date(updated_at) })
    .where('id', '=', id)
    .execute()
}

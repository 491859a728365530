import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { isTimeout } from '#src/platform/database/errors.ts'
import { Conflict } from '#src/platform/errors.ts'
import type { CustomField, CustomFieldEntity } from './schema.ts'
import { customValue, hasAnyOption, hasValue, tableOf } from './sql.ts'

/** @throws Conflict if records have one of these options */
export async function requireUnused(db: Db, field: CustomField, options: string[]): Promise<void> {
  const { label, entity } = field
  const count = await countValues(db, field, options)
  if (count > 0)
    throw new Conflict(
      `${numberOf(count, entity)} ${count === 1 ? 'has' : 'have'} an option of ${label} that is missing in options. Send it with its id, or confirm: true to remove it from them; that cannot be undone.`,
    )
}

/** @throws Conflict if records have a value of the field */
export async function requireEmpty(db: Db, field: CustomField): Promise<void> {
  const count = await countValues(db, field)
  if (count > 0)
    throw new Conflict(
      `Deleting the field ${field.label} removes the values of ${numberOf(count, field.entity)}. That cannot be undone. Repeat the request with confirm=true.`,
    )
}

/** How many records have a value of the field, or one of these options. Reads the whole table. */
async function countValues(db: Db, field: CustomField, options?: string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from ${tableOf(field.entity)} where ${hasValue(field, options)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/**
 * Whether any record has a value of the field, or one of these options. Reads its index alone; long text has none.
 * @param removed deleted options of the field that records may still have
 */
export async function isUsed(
  db: Db,
  field: CustomField,
  options?: string[],
  removed: string[] = [],
): Promise<boolean> {
  const table = tableOf(field.entity)
  const value = customValue(field)
  const all = [...field.options.map(({ id }) => id), ...removed]
  const used =
    field.type === 'multi_select'
      ? sql`exists (select from ${table} where ${hasAnyOption(field, options ?? all)})`
      : options || field.type === 'long_text'
        ? sql`exists (select from ${table} where ${hasValue(field, options)})`
        : sql`coalesce((select (${value}) is not null from ${table}
            order by (${value}) desc nulls last, id desc limit 1), false)`
  const { rows } = await sql<{ used: boolean }>`select ${used} as used`.execute(db)
  return rows[0]?.used ?? false
}

/** Writers of values wait for this check, which reads the whole table of a field without a valid index. */
const CHECK_TIMEOUT = sql.lit('1s')

/**
 * Repeats the check of `requireUnused` or `requireEmpty`, since records may have changed after it.
 * @param transaction which has locked the definitions; this is its last statement
 * @param removed deleted options of the field that records may still have
 * @throws Conflict if records have a value of the field or one of these options now, or that cannot be found out soon
 */
export async function requireStillUnused(
  transaction: Db,
  field: CustomField,
  options?: string[],
  removed?: string[],
): Promise<void> {
  await sql`set local statement_timeout = ${CHECK_TIMEOUT}`.execute(transaction)
  const used = await isUsed(transaction, field, options, removed).catch((error: unknown) => {
    if (isTimeout(error)) return undefined
    throw error
  })
  if (used === false) return
  throw new Conflict(
    used
      ? `Records were just given values of ${field.label} that this would remove. Repeat the request to see how many.`
      : `The service could not check within a second whether records have values of ${field.label}. Try again, or confirm that they are removed.`,
  )
}

const PLURALS = { company: 'companies', deal: 'deals', person: 'people' } as const

const numberOf = (count: number, entity: CustomFieldEntity): string =>
  `${count.toLocaleString('en')} ${count === 1 ? entity : PLURALS[entity]}`

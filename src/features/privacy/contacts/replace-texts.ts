import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import type { ContactPattern, IsText } from './contact-pattern.ts'

/** The rows that are read at once. One may have a text of 100 KB, before and after a change. */
const BATCH_SIZE = 50

/** A table with its columns of text, and those of JSON with what is text in them. */
interface TextColumns {
  table: string
  columns: Readonly<Record<string, 'text' | IsText>>
}

/**
 * Replaces a contact's details in the texts of rows.
 * @param keys the ids of the rows
 * @returns the changed columns of each changed row, by its id
 */
export async function replaceTexts(
  transaction: Db,
  texts: TextColumns,
  keys: readonly string[],
  pattern: ContactPattern,
): Promise<Map<string, string[]>> {
  const changed = new Map<string, string[]>()
  for (let first = 0; first < keys.length; first += BATCH_SIZE)
    for (const entry of await replaceBatch(
      transaction,
      texts,
      keys.slice(first, first + BATCH_SIZE),
      pattern,
    ))
      changed.set(...entry)
  return changed
}

type Texts = Record<string, string | null>

async function replaceBatch(
  transaction: Db,
  { table, columns }: TextColumns,
  keys: readonly string[],
  pattern: ContactPattern,
): Promise<[string, string[]][]> {
  const names = Object.keys(columns)
  const texts = names.map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`)
  const { rows } = await sql<Texts & { id: string }>`
    select id, ${sql.join(texts)} from ${sql.table(table)} where id = any(${[...keys]}) order by id for update`.execute(
    transaction,
  )
  const replaced = rows.flatMap(({ id, ...before }) => {
    const after = Object.fromEntries(
      names.map((name) => [name, replacedIn(before[name] ?? null, columns[name], pattern)]),
    )
    const differing = names.filter((name) => after[name] !== before[name])
    return differing.length > 0 ? [{ id, after, differing }] : []
  })
  if (replaced.length === 0) return []
  const assignments = names.map(
    (name): RawBuilder<unknown> =>
      sql`${sql.ref(name)} = changed.${sql.ref(name)}::${sql.raw(columns[name] === 'text' ? 'text' : 'json')}`,
  )
  const types = Object.fromEntries(['id', ...names].map((name) => [name, 'text' as const]))
  const values = replaced.map(({ id, after }) => ({ id, ...after }))
  await sql`
    update ${sql.table(table)} set ${sql.join(assignments)} from ${rowsFrom('changed', types, values)}
    where ${sql.ref(`${table}.id`)} = changed.id`.execute(transaction)
  return replaced.map(({ id, differing }) => [id, differing])
}

/** The same text if it has none of the details, so that JSON that needs no change keeps its exact form. */
function replacedIn(
  text: string | null,
  column: 'text' | IsText | undefined,
  pattern: ContactPattern,
): string | null {
  if (text === null || column === undefined) return text
  if (column === 'text') return pattern.replacedIn(text)
  const value = JSON.parse(text)
  const replaced = pattern.replacedInValue(value, column)
  return JSON.stringify(value) === JSON.stringify(replaced) ? text : JSON.stringify(replaced)
}

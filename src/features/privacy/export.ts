import { sql } from 'kysely'
import { NO_REQUEST, recordAudit } from '#src/features/audit/index.ts'
import type { Counter } from '#src/platform/database/counters.ts'
import type { Db } from '#src/platform/database/database.ts'
import { AddressPattern, inBlocks, type TextTable, tableOf, textTables } from './stored-text.ts'

const BLOCKS_PER_QUERY = 1000
/** Secrets, and values that only the database understands. */
const HIDDEN_NAME = /(?:^|_)(?:hash|secret|sealed|token|salts?|digests?)$/
const HIDDEN_TYPES = ['bytea', 'tsvector', 'vector', 'sparsevec', 'halfvec']

/**
 * Every row of the database that contains an email address, as the text of a JSON object
 * `{email, exported_at, tables: {name: [row, …]}}`, in parts. The export is recorded in the audit log.
 * @param email in lower case
 * @param counters are left out, because they contain nothing about the person
 */
export async function* exportUser(
  db: Db,
  counters: readonly Counter[],
  email: string,
): AsyncGenerator<string> {
  const pattern = new AddressPattern(email)
  const omitted = counters.flatMap(({ name }) => [`${name}_counts`, `${name}_count_deltas`])
  const tables = (await textTables(db)).filter(({ name }) => !omitted.includes(name))
  yield `{"email":${JSON.stringify(email)},"exported_at":"${new Date().toISOString()}","tables":{`
  let separator = ''
  for (const table of tables) {
    let isFirst = true
    for await (const row of matchingRows(db, table, pattern)) {
      yield isFirst ? `${separator}\n${JSON.stringify(table.name)}:[\n${row}` : `,\n${row}`
      isFirst = false
      separator = ','
    }
    if (!isFirst) yield ']'
  }
  yield '}}\n'
  await recordAudit(db, NO_REQUEST, { event: 'user_exported', details: { email } })
}

async function* matchingRows(db: Db, table: TextTable, pattern: AddressPattern): AsyncGenerator<string> {
  const columns = table.columns
    .filter(({ name, type }) => !HIDDEN_NAME.test(name) && !HIDDEN_TYPES.includes(type))
    .map(({ name }) => sql.id(name))
  for (let first = 0; first <= table.blocks; first += BLOCKS_PER_QUERY) {
    const { rows } = await sql<{ row: string }>`
      select row_to_json(record)::text as row from (
        select ${sql.join(columns)} from ${tableOf(table)}
        where ${inBlocks(first, first + BLOCKS_PER_QUERY)} and ${pattern.isInRow(table)}) record`.execute(db)
    for (const { row } of rows) yield row
  }
}

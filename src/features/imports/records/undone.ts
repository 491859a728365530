import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'

/**
 * Checks an import after it has written in a transaction, which locks its action.
 * @throws Conflict if it has been undone while it was running
 */
export async function requireNotUndone(transaction: Db, { id }: Action): Promise<void> {
  const { rows } = await sql<{
    undone_by: string | null
  }>`select undone_by from actions where id = ${id}`.execute(transaction)
  const undoneBy = rows[0]?.undone_by
  if (undoneBy) throw new Conflict(`The import was undone by ${undoneBy} while it was running.`)
}

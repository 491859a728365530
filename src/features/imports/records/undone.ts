import { type Action, lockAction } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Conflict } from '#src/platform/errors.ts'

/**
 * Checks an import after it has written in a transaction, which locks its action.
 * @throws Conflict if it has been undone while it was running
 */
export async function requireNotUndone(transaction: Db, { id }: Action): Promise<void> {
  const action = await lockAction(transaction, id)
  if (action?.undone_by)
    throw new Conflict(`The import was undone by ${action.undone_by} while it was running.`)
}

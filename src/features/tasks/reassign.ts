import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { findDisabled } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { lockTasks } from './store.ts'
import { writeChanges } from './write-changes.ts'

/**
 * Gives the open tasks of a user who was disabled back to their authors, or to the user of the action if their author is
 * disabled too, and records it.
 * @param email of the user, who is disabled already
 * @returns how many tasks were reassigned
 */
export async function reassignTasksOf(transaction: Db, action: Action, email: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from tasks where assignee_email = ${email} and done_at is null order by id`.execute(transaction)
  const tasks = await lockTasks(transaction, idsOf(rows))
  const disabled = await findDisabled(
    transaction,
    tasks.flatMap(({ author_email }) => author_email ?? []),
  )
  const caller = action.user?.email ?? null
  const changed = await writeChanges(
    transaction,
    action,
    tasks
      .filter(({ assignee_email, done_at }) => assignee_email === email && done_at === null)
      .map((before) => {
        const author = before.author_email
        const assignee_email = author && author !== email && !disabled.has(author) ? author : caller
        return {
          before,
          fields: { assignee_email, repeat_time: null },
          metadata: { reason: 'assignee_disabled', previous_assignee: email },
        }
      }),
  )
  return changed.length
}

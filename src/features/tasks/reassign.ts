import { sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { findDisabled } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import { lockTasks } from './store.ts'
import { writeChanges } from './write-changes.ts'

/**
 * Gives the open tasks of a user who was disabled to others, and records it.
 * @param email of the user, who is disabled already
 * @returns how many tasks were reassigned
 */
export async function reassignTasksOf(transaction: Db, action: Action, email: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from tasks where assignee_email = ${email} and done_at is null order by id`.execute(transaction)
  return reassignDisabled(transaction, action, idsOf(rows))
}

/**
 * Gives those of the open tasks whose assignees are disabled back to their authors, or to the user of the action if their
 * author is disabled too, and records it.
 * @returns how many tasks were reassigned
 */
export async function reassignDisabled(transaction: Db, action: Action, ids: string[]): Promise<number> {
  const tasks = (await lockTasks(transaction, ids)).filter(({ done_at }) => done_at === null)
  const disabled = await findDisabled(
    transaction,
    tasks.flatMap(({ author_email, assignee_email }) => [author_email ?? [], assignee_email ?? []].flat()),
  )
  const isActive = (email: string | null) => email !== null && !disabled.has(email)
  const changed = await writeChanges(
    transaction,
    action,
    tasks
      .filter(({ assignee_email }) => assignee_email !== null && !isActive(assignee_email))
      .map((before) => ({
        before,
        fields: {
          assignee_email: isActive(before.author_email) ? before.author_email : (action.user?.email ?? null),
          repeat_time: null,
        },
        metadata: { reason: 'assignee_disabled', previous_assignee: before.assignee_email },
      })),
  )
  return changed.length
}

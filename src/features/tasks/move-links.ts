import { sql } from 'kysely'
import { type Action, changesOf, recordAction } from '#src/features/activity/index.ts'
import { moveLinks, readLinkedRecords, readLinks, writeLinks } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { touchTasks } from './store.ts'
import { taskActivity } from './write-changes.ts'

/**
 * Makes tasks about some records, also those in the trash, tasks about another one, and records it, so that an undo brings
 * all links back.
 * @param from those first whose links are preferred
 * @returns the ids of those tasks that are not in the trash
 */
export async function moveTaskLinks(
  transaction: Db,
  action: Action,
  { from, to }: { from: string[]; to: string },
): Promise<string[]> {
  const ids = await readLinkedRecords(transaction, 'tsk', from)
  // Restoring locks in this order too.
  await sql`select from trash where id = any(${ids}) order by id for update`.execute(transaction)
  await sql`select from tasks where id = any(${ids}) order by id for no key update`.execute(transaction)
  const before = await readLinks(transaction, ids)
  const changes = ids
    .map((record_id) => ({ record_id, links: moveLinks(before.get(record_id) ?? {}, from, to) }))
    .filter(({ links }) => Object.keys(links).length > 0)
  await writeLinks(transaction, changes)
  const times = await touchTasks(
    transaction,
    changes.map(({ record_id }) => record_id),
  )
  const now = new Date().toISOString()
  await recordAction(
    transaction,
    action,
    changes.map(({ record_id, links }) => ({
      ...taskActivity('task_updated', record_id),
      timestamp: times.get(record_id) ?? now,
      metadata: { fields: Object.keys(links) },
      changes: changesOf(before.get(record_id) ?? {}, links, Object.keys(links)),
    })),
  )
  return [...times.keys()]
}

import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import { moveSources } from '#src/features/deals/index.ts'
import { moveFileLinks } from '#src/features/files/index.ts'
import { moveNoteLinks } from '#src/features/notes/index.ts'
import { lockPeopleWithCompanies, personActivity, returnPeople } from '#src/features/people/index.ts'
import { moveTaskLinks } from '#src/features/tasks/index.ts'
import type { Restoration } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { Merging } from './kind.ts'
import { lockParts, returnBranches, storeParts, withoutSurvivor } from './parts.ts'

const lock = async (transaction: Db, ids: string[]): Promise<Set<string>> =>
  new Set(idsOf(await lockPeopleWithCompanies(transaction, ids)))

/**
 * Makes locked people part of another, and keeps their records next to the trash. Nothing shows their links to companies
 * until they come back.
 * @returns the notes, the tasks, and the files that are about the survivor now
 */
export async function joinPeople(
  transaction: Db,
  action: Action,
  survivor: string,
  from: string[],
): Promise<{ notes: string[]; tasks: string[]; files: string[] }> {
  const notes = await moveNoteLinks(transaction, action, { from, to: survivor })
  const tasks = await moveTaskLinks(transaction, action, { from, to: survivor })
  const files = await moveFileLinks(transaction, action, { from, to: survivor })
  await moveSources(transaction, action, { from, to: survivor })
  await storeParts(transaction, action, 'person', { survivor, from })
  await sql`delete from people where id = any(${from})`.execute(transaction)
  await recordAction(
    transaction,
    action,
    from.map((id) => personActivity('person_merged', id, { merged_into: survivor })),
  )
  return { notes, tasks, files }
}

/**
 * Splits people off the one that they are part of. They return as they were. What the survivor took over and the links of
 * notes, tasks, and files are changes of those records, which the undo puts back afterward.
 */
async function splitPeople(
  transaction: Db,
  action: Action,
  survivor: string,
  ids: string[],
): Promise<Restoration> {
  const survives = (await lock(transaction, [survivor])).has(survivor)
  const split = idsOf(await lockParts(transaction, survivor, ids))
  if (split.length === 0 || !survives)
    return { restored: [], refused: withoutSurvivor('person', survivor, split) }
  await returnBranches(transaction, split, survivor)
  await returnPeople(
    transaction,
    action,
    split.map((id) => personActivity('person_unmerged', id, { merged_into: survivor })),
  )
  return { restored: split, refused: [] }
}

/** How the undo merges people again, and splits them. */
export const personMerging: Merging = {
  entity_type: 'person',
  lock,
  join: async (...merge) => {
    const { notes, tasks, files } = await joinPeople(...merge)
    return [...notes, ...tasks, ...files]
  },
  split: splitPeople,
}

import type { Db } from '#src/platform/database/database.ts'
import { withDryRun } from '#src/platform/database/dry-run.ts'
import { inShortTransaction } from '#src/platform/database/short-transaction.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import type { MergeRules } from './fields.ts'

/** The records to merge, each once. @throws InvalidInput if the survivor is one of them */
export function othersIn({ several }: MergeRules, id: string, from: readonly string[]): string[] {
  const others = [...new Set(from)]
  if (others.includes(id))
    throw new InvalidInput(`from must be ids of other ${several}: ${id} cannot be merged with itself.`)
  return others
}

/** Merges in a transaction, which a dry run rolls back. */
export const inMerge = (
  db: Db,
  isDryRun: boolean,
  merge: (transaction: Db) => Promise<string>,
): Promise<string> => withDryRun((work) => inShortTransaction(db, work), isDryRun, merge)

import type { Db } from '#src/platform/database/database.ts'
import { BatchWriter, type ImportParts } from './batch-writer.ts'
import type { PendingRow } from './plan.ts'

/**
 * Takes the turn to write, so that all imports of this process read on only until their next batch is complete. It holds
 * no database connection.
 * @returns a function that gives the turn back
 */
export function holdImports(): () => void {
  const { promise, reject } = Promise.withResolvers<never>()
  const db = { transaction: () => ({ execute: () => promise }) } as unknown as Db
  const options = { dryRun: false } as ConstructorParameters<typeof BatchWriter>[1]
  const writer = new BatchWriter({ db } as ImportParts, options)
  writer.write([{} as PendingRow], new Map()).catch(() => {})
  return () => reject(new Error('The turn was given back.'))
}

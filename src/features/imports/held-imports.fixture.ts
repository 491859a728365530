import type { Db } from '#src/platform/database/database.ts'
import { BatchWriter, type ImportParts } from './batch-writer.ts'
import type { ReadCompany } from './plan.ts'

/**
 * Takes the turn to write while it runs a test, so that all imports of this process read on only until their next batch
 * is complete. It holds no database connection.
 */
export async function whileImportsAreHeld<T>(run: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const execute = () => promise.then(() => Promise.reject(new Error('The lock was released.')))
  const db = { transaction: () => ({ execute }) } as unknown as Db
  const options = { dryRun: false } as ConstructorParameters<typeof BatchWriter>[1]
  const writer = new BatchWriter({ db } as ImportParts, options)
  writer.write([{ rows: [] } as unknown as ReadCompany], new Map()).catch(() => {})
  try {
    return await run()
  } finally {
    resolve()
  }
}

import type { Db } from './database.ts'

class DryRun<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('The transaction of a dry run is rolled back.')
    this.result = result
  }
}

/**
 * Runs work in a transaction, which a dry run rolls back after it.
 * @param inTransaction opens the transaction
 * @returns the result of the work in either case
 */
export async function withDryRun<T>(
  inTransaction: (work: (transaction: Db) => Promise<T>) => Promise<T>,
  isDryRun: boolean,
  work: (transaction: Db) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(async (transaction) => {
      const result = await work(transaction)
      if (isDryRun) throw new DryRun(result)
      return result
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}

import { isConflict } from './if-match.ts'

interface Saving<T extends { updated_at: string }> {
  /** The record as it was last read. */
  record: { updated_at: string }
  /** Sends the change on the condition that the record is no newer than `updatedAt`. */
  send: (updatedAt: string) => Promise<T>
  reload: () => Promise<T>
  /** Whether the fields being changed are still as the user saw them. */
  isUnchanged: (newest: T) => boolean
}

const MAX_ATTEMPTS = 4

/**
 * Saves a change and retries when someone else changed other fields of the record.
 * @throws PreconditionFailed when someone else changed the same fields
 */
export async function saveIfUnchanged<T extends { updated_at: string }>(saving: Saving<T>): Promise<T> {
  let { updated_at } = saving.record
  for (let tries = 1; ; tries++) {
    try {
      return await saving.send(updated_at)
    } catch (error) {
      if (!isConflict(error) || tries === MAX_ATTEMPTS) throw error
      const newest = await saving.reload()
      if (!saving.isUnchanged(newest)) throw error
      updated_at = newest.updated_at
    }
  }
}

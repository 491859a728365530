import { isConflict } from './if-match.ts'

interface Saving<T extends { updated_at: string }> {
  /** As it was read last. */
  record: T
  /** Sends the change, to be refused when the record is newer than that. */
  send: (updatedAt: string) => Promise<T>
  reload: () => Promise<T>
  /** Whether what is being changed is still as the reader saw it. */
  isUnchanged: (newest: T) => boolean
}

const MAX_ATTEMPTS = 4

/**
 * Saves a change of a record; what others have changed of it meanwhile is not in the way, unless it is the same.
 * @throws PreconditionFailed when somebody else has changed the same
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

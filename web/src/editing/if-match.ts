import { PreconditionFailed } from '#src/client/errors.ts'

/**
 * Spread this into a call that updates a record, so that it fails if someone else changed the record.
 * @param updatedAt of the record as the user saw it
 */
export const ifMatch = (updatedAt: string) => ({ headers: { 'if-match': `"${updatedAt}"` } })

/** Whether an update failed because someone else changed the record. */
export const isConflict = (error: unknown): boolean => error instanceof PreconditionFailed

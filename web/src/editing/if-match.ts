import { PreconditionFailed } from '#src/client/errors.ts'

/**
 * To be spread into a call that changes a record: it is refused when somebody else has changed the record meanwhile.
 * @param updatedAt of the record as the reader saw it
 */
export const ifMatch = (updatedAt: string) => ({ headers: { 'if-match': `"${updatedAt}"` } })

/** Whether a change was refused because somebody else has changed the record meanwhile. */
export const isConflict = (error: unknown): boolean => error instanceof PreconditionFailed

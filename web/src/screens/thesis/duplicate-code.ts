import { ApiError } from '#src/client/errors.ts'

/** Whether another thesis already has the code. */
export const isDuplicateCode = (error: unknown): boolean => error instanceof ApiError && error.status === 409

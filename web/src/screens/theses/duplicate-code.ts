import { ApiError } from '#src/client/errors.ts'

/** Whether a thesis was refused because another one has its code. */
export const isDuplicateCode = (error: unknown): boolean => error instanceof ApiError && error.status === 409

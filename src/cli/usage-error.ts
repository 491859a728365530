/** A mistake in the command line. Only its message is printed. */
export class UsageError extends Error {}

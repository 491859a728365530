/** An unusable file or option. The message says why. */
export class InputError extends Error {}

/** A mistake in the command line. Only its message is printed. */
export class UsageError extends Error {}

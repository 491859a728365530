/** An unusable file or option. The message says why. */
export class InputError extends Error {}

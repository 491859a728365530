/** A file or an option that cannot be used; its message says why. */
export class InputError extends Error {}

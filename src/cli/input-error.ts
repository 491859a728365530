/** A file that cannot be imported; its message says why. */
export class InputError extends Error {}

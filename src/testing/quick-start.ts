/**
 * An option of Node that makes V8 skip optimizing WebAssembly. A service or a command that runs for a few seconds on an
 * embedded database then needs a third less processor time.
 */
export const QUICK_START = '--liftoff-only'

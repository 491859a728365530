/**
 * An option of Node with which a service or a command on an embedded database needs a third less processor time, because
 * V8 does not optimize WebAssembly that runs for a few seconds.
 */
export const QUICK_START = '--liftoff-only'

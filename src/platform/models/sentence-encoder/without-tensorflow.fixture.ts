import { registerHooks } from 'node:module'

/** A thread of the model where a package is not installed. */
registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier.startsWith('@tensorflow/')) throw new Error(`Cannot find package '${specifier}'`)
    return next(specifier, context)
  },
})
await import('./thread.ts')

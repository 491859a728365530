import { lazyRouteComponent as original } from '@tanstack/react-router'

/** The code of a screen could not be loaded: the service is down, or was updated. */
export class ScreenNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The screen could not be loaded.', { cause })
  }
}

/** The router reloads the page after the browser's own error, which loses the page while the service is down. */
export const lazyRouteComponent: typeof original = (load, name) =>
  original(
    () =>
      load().catch((error) => {
        throw new ScreenNotLoaded(error)
      }),
    name,
  )

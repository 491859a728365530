/** @param search what follows the ? of `/` */
export const signInSearch = (search: Record<string, unknown>): { return_to?: string } =>
  typeof search.return_to === 'string' && /^\/(?!\/)/.test(search.return_to)
    ? { return_to: search.return_to }
    : {}

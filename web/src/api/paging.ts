/** The most records that the service returns at once. */
export const MAX_PAGE_SIZE = 1000

/**
 * The parameters of a list that select one page of it.
 * @param page starts at 1
 */
export const onePage = (page: number, size: number): { limit: number; offset: number } => ({
  limit: size,
  offset: (page - 1) * size,
})

/** The number of pages of a list; 0 while it is loading. */
export const pageCount = (list: { pagination: { total: number } } | undefined, size: number): number =>
  Math.ceil((list?.pagination.total ?? 0) / size)

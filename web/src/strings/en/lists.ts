import { formatNumber } from '#web/format/format.ts'

/** Text that lists of records share. */
export const strings = {
  clearSearch: 'Clear search',
  clearSearchKey: 'Clear the search',
  enterList: 'Go from the search to the list',
  nextPage: 'Next page',
  previousPage: 'Previous page',
  pager: 'Pagination',
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
  range: (from: number, to: number, total: number) =>
    `${formatNumber(from)}–${formatNumber(to)} of ${formatNumber(total)}`,
  select: (name: string) => `Select ${name}`,
  selected: (count: number) => `${formatNumber(count)} selected`,
  clearSelection: 'Clear selection',
  more: 'More actions',
  refused: 'This list cannot be shown',
  clearFilters: 'Clear filters',
  noResults: 'No results',
}

/** The value of a cell for a field. */
export interface Reading<T = unknown> {
  /** undefined: the field stays blank. */
  value?: T
  /** What was changed or left out, as a sentence. */
  note?: string | undefined
  /** Why the field has no value although the cell has text, as a sentence. */
  error?: string
}

/** Values other than texts and lists are shorter. Parsing longer cells could block the event loop. */
export const MAX_VALUE_LENGTH = 2000
export const MAX_LIST_LENGTH = 64 * 1024

export const PLACEHOLDER: Reading<never> = { note: 'Placeholders such as "-" or "N/A" were left blank.' }
export const LOWER_BOUND = 'The lowest number of a range was stored.'
export const APPROXIMATE = 'An approximate number was stored.'

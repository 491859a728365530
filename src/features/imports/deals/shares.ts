import { type CellMessages, cellError } from '../rows/field-cells.ts'

export const SHARE_FIELDS = ['probability', 'ownership_percent'] as const
export type ShareField = (typeof SHARE_FIELDS)[number]

/** A number without a percent sign, which may be a fraction of 1. */
export interface BareShare {
  field: ShareField
  value: number
  text: string
  column: string
}

const NUMBER = /^(\d{1,3}(?:[.,]\d{1,15})?)\s*(%)?$/
const FRACTION = 'The values of the column are at most 1, so they were read as fractions: 0.4 is 40%.'
const ROUNDED = 'probability is a whole number, so it was rounded.'

/** A percentage as it is written; undefined: it is none. */
export function parseShare(text: string): { value: number; isBare: boolean } | undefined {
  const [, number, sign] = NUMBER.exec(text) ?? []
  return number === undefined
    ? undefined
    : { value: Number(number.replace(',', '.')), isBare: sign === undefined }
}

/** Decides for a whole file whether the numbers of a column are percentages, or fractions of 1. */
export class ShareEvidence {
  readonly #percentages = new Set<ShareField>()
  readonly #fractions = new Set<ShareField>()

  add({ field, value }: BareShare): void {
    if (value > 1) this.#percentages.add(field)
    else if (value > 0 && value < 1) this.#fractions.add(field)
  }

  /**
   * The percentage of a share, which is known after the last row.
   * @param messages receives what was changed
   */
  percentOf({ field, value, text, column }: BareShare, messages: CellMessages): number {
    const isFraction = this.#fractions.has(field) && !this.#percentages.has(field)
    if (isFraction) messages.notes.push(cellError(column, field, text, FRACTION))
    // Without the digits that only binary fractions have.
    return isFraction ? Number((value * 100).toPrecision(12)) : value
  }
}

/** A probability as it is stored. */
export function roundedProbability(
  value: number,
  { text, column }: Pick<BareShare, 'text' | 'column'>,
  messages: CellMessages,
): number {
  if (!Number.isInteger(value)) messages.notes.push(cellError(column, 'probability', text, ROUNDED))
  return Math.round(value)
}

import { countryCode } from '../cells/country-codes.ts'

/** Finds out whether the countries of a file are codes, so that NA is Namibia rather than nothing. */
export class CountryEvidence {
  readonly #indexes: readonly number[]
  readonly #counts: Map<number, { codes: number; names: number }>

  /** @param indexes of the columns of the country */
  constructor(indexes: readonly number[]) {
    this.#indexes = indexes
    this.#counts = new Map(indexes.map((index) => [index, { codes: 0, names: 0 }]))
  }

  add(textOf: (index: number) => string): void {
    for (const index of this.#indexes) {
      const text = textOf(index)
      const count = this.#counts.get(index)
      if (!count || !text) continue
      if (text.length > 3) count.names++
      else if (text.length === 2 && text !== 'NA' && countryCode(text)) count.codes++
    }
  }

  /** The indexes of the columns with codes. */
  get codes(): ReadonlySet<number> {
    const isCodes = ({ codes, names }: { codes: number; names: number }) => codes > names
    return new Set([...this.#counts].filter(([, count]) => isCodes(count)).map(([index]) => index))
  }
}

import { type Decimal, PLAIN_NUMBER } from '#src/platform/schema/numerals.ts'
import { currenciesMentioned, currencyOf, mayMean } from './amount-words.ts'
import { parseAmount } from './written-amounts.ts'

/** What a column's cells show about how its numbers are written. */
export class NumberEvidence {
  readonly #plain: RegExp
  /** How many numbers prove each decimal sign. */
  readonly #proven = { '.': 0, ',': 0 }
  /** How many numbers have a sign that may be decimal or separate thousands. */
  readonly #open = { '.': 0, ',': 0 }
  /** How many of the open ones have a unit, as in 1.234m, where the sign is usually decimal. */
  readonly #openWithUnit = { '.': 0, ',': 0 }
  /** The signs and codes of currencies in the cells. */
  readonly #signs = new Set<string>()
  /** Those in ranges and in cells that cannot be read, such as "$5M raised". */
  readonly #mentioned = new Set<string>()
  /** Whether cells have amounts without a currency. */
  hasUnnamed = false

  /** @param hasPlainNumbers whether numbers in JavaScript's format are exact, and so show nothing */
  constructor(hasPlainNumbers: boolean) {
    this.#plain = hasPlainNumbers ? PLAIN_NUMBER : /^\d{1,15}$/
  }

  add(text: string): void {
    if (this.#plain.test(text)) {
      this.hasUnnamed = true
      return
    }
    const amount = parseAmount(text)
    if (typeof amount !== 'object') {
      for (const sign of currenciesMentioned(text)) this.#mentioned.add(sign)
      return
    }
    const { numeral, factor, currency } = amount
    if (currency) this.#signs.add(currency)
    else this.hasUnnamed = true
    if (numeral.decimal) this.#proven[numeral.decimal]++
    if (!numeral.open) return
    this.#open[numeral.open]++
    if (factor !== null) this.#openWithUnit[numeral.open]++
  }

  /**
   * The currencies of amounts: ISO 4217 codes, or ambiguous signs.
   * @param signCurrency the currency that an ambiguous sign has if it may mean it
   */
  currencies(signCurrency: string | null): string[] {
    return meanings(this.#signs, signCurrency)
  }

  /** The currencies of amounts, of ranges, and of cells that cannot be read. */
  allCurrencies(signCurrency: string | null): string[] {
    return meanings([...this.#signs, ...this.#mentioned], signCurrency)
  }

  /** Whether the cells have a sign of several currencies that may mean this one. */
  mayMean(currency: string): boolean {
    return [...this.#signs].some((sign) => mayMean(sign, currency))
  }

  /** The decimal sign that numbers prove; null: none, or both. */
  get proven(): Decimal | null {
    const { '.': points, ',': commas } = this.#proven
    if (points > 0 && commas > 0) return null
    return points > 0 ? '.' : commas > 0 ? ',' : null
  }

  /** The decimal sign of the column, and whether a person has to choose it. */
  decimal(): { decimal: Decimal | null; isOpen: boolean } {
    const { '.': points, ',': commas } = this.#open
    const isProven = this.#proven['.'] + this.#proven[','] > 0
    if (isProven) return { decimal: this.proven, isOpen: this.proven === null && points + commas > 0 }
    if (points > 0 && commas > 0) return { decimal: null, isOpen: true }
    if (points + commas === 0) return { decimal: null, isOpen: false }
    const sign = points > 0 ? '.' : ','
    const withUnit = this.#openWithUnit[sign]
    // 850.000 alone are thousands, 1.234m alone is a fraction.
    if (withUnit === 0) return { decimal: sign === '.' ? ',' : '.', isOpen: true }
    return { decimal: sign, isOpen: withUnit < this.#open[sign] }
  }
}

const meanings = (signs: Iterable<string>, signCurrency: string | null): string[] => [
  ...new Set(Array.from(signs, (sign) => currencyOf(sign, signCurrency) ?? sign)),
]

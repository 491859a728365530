/** The sign before the fraction of a number. */
export type Decimal = '.' | ','

/** A number as it is written. */
export interface Numeral {
  /** The number, with `open` as its decimal sign if it is open. */
  value: number
  /** The decimal sign that the text proves; null: none. */
  decimal: Decimal | null
  /** The sign in a number such as 64.125, which may be a decimal sign or separate thousands. */
  open: Decimal | null
}

const MAX_NUMERAL_LENGTH = 40
const SPACED = /^\d{1,3}([ '’])\d{3}(?:\1\d{3})*(?:[.,]\d*)?$/

/** What JavaScript, JSON, and the cells of a workbook write. */
export const PLAIN_NUMBER = /^-?\d{1,30}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/

/** Numbers within a text, each of which `parseNumeral` may reject. */
export const NUMERALS = /[.,]?\d(?:[\d.,'’ ]*\d)?(?:[eE][+-]?\d{1,3}(?![\p{L}\d]))?/gu

/**
 * Parses a number without a sign: `1200`, `1,200.50`, `1.200,50`, `1 200`, `1'200`, `20,00,00,000`, `3.2E+06`.
 * @returns undefined if no language writes a number so
 */
export function parseNumeral(text: string): Numeral | undefined {
  if (text.length > MAX_NUMERAL_LENGTH) return undefined
  if (/^\d+$/.test(text)) return { value: Number(text), decimal: null, open: null }
  const [, mantissa, exponent] = /^([\d.,]+)[eE]([+-]?\d+)$/.exec(text) ?? []
  if (mantissa && exponent) return scientific(mantissa, exponent)
  if (SPACED.test(text)) return decimalNumber(text.replace(/[ '’]/g, ''))
  if (!/^[\d.,]+$/.test(text)) return undefined
  return separated(text)
}

function scientific(mantissa: string, exponent: string): Numeral | undefined {
  const numeral = decimalNumber(mantissa)
  const value = Number(`${mantissa.replace(',', '.')}e${exponent}`)
  return numeral && Number.isFinite(value) ? { ...numeral, value } : undefined
}

/** A number whose one sign can only be decimal. */
function decimalNumber(text: string): Numeral | undefined {
  const [sign, ...others] = text.replace(/\d/g, '') as Iterable<string>
  if (others.length > 0 || text === sign) return undefined
  const isPoint = sign === '.' || sign === ','
  return {
    value: Number(text.replace(',', '.')),
    decimal: isPoint && !text.endsWith(sign) ? sign : null,
    open: null,
  }
}

function separated(text: string): Numeral | undefined {
  const points = text.split('.').length - 1
  const commas = text.split(',').length - 1
  if (points > 0 && commas > 0) {
    const decimal = text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ','
    return grouped(
      text.slice(0, text.lastIndexOf(decimal)),
      other(decimal),
      text.slice(text.lastIndexOf(decimal) + 1),
    )
  }
  const sign = points > 0 ? '.' : ','
  if (points + commas > 1) return grouped(text, sign, undefined)
  const [whole = '', fraction = ''] = text.split(sign)
  const numeral = decimalNumber(text)
  const isOpen = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  return isOpen && numeral ? { ...numeral, decimal: null, open: sign } : numeral
}

const other = (decimal: Decimal): Decimal => (decimal === '.' ? ',' : '.')

const GROUPS = {
  '.': /^\d{1,3}(?:\.\d{3})+$|^\d{1,2}(?:\.\d{2})+\.\d{3}$/,
  ',': /^\d{1,3}(?:,\d{3})+$|^\d{1,2}(?:,\d{2})+,\d{3}$/,
} as const

/** A number with groups of three digits, or as in India of two before the last three. */
function grouped(whole: string, separator: Decimal, fraction: string | undefined): Numeral | undefined {
  if (!GROUPS[separator].test(whole)) return undefined
  const value = Number(`${whole.replaceAll(separator, '')}.${fraction ?? ''}`)
  return { value, decimal: other(separator), open: null }
}

/**
 * The value of a number in a column with this decimal sign. A sign that is not open is read as it is written.
 * @returns undefined if the number is open, and so is the sign of the column
 */
export function numeralValue({ value, open }: Numeral, decimal: Decimal | null): number | undefined {
  if (!open || open === decimal) return value
  return decimal ? Math.round(value * 1000) : undefined
}

/** What the words for units, in lower case, multiply a number by. */
export const UNIT_FACTORS: ReadonlyMap<string, number> = new Map([
  ...factors(1e3, 'k th thousand thousands tsd tausend mille tys tysięcy duizend тыс тысяч'),
  ...factors(1e4, '万 萬'),
  ...factors(1e5, 'lakh lakhs lac lacs'),
  ...factors(
    1e6,
    'm mm mn mln mio mi million millions millionen millones millón milhão milhões milione milioni miljoen miljoenen ' +
      'milion miliony milionów млн миллион миллионов',
  ),
  ...factors(1e7, 'crore crores cr'),
  ...factors(1e8, '亿 億'),
  ...factors(
    1e9,
    'b bn bln mrd md mds mld bi billion billions milliard milliards milliarde milliarden miliardo miliardi miljard ' +
      'miljarden miliard miliardy miliardów bilhão bilhões млрд миллиард миллиардов',
  ),
  ...factors(1e12, 'tn trn trillion trillions'),
])

function factors(factor: number, words: string): [string, number][] {
  return words.split(' ').map((word) => [word, factor])
}

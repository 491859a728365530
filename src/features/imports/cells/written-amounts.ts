import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { NUMERALS, type Numeral, parseNumeral, UNIT_FACTORS } from '#src/platform/schema/numerals.ts'
import { currencyNamed } from './amount-words.ts'

/** An amount as it is written. */
export interface WrittenAmount {
  numeral: Numeral
  isNegative: boolean
  /** What the unit multiplies the number by; null: there is none. */
  factor: number | null
  /** The code or sign of a currency, for `currencyOf`; null: there is none. */
  currency: string | null
  /** Whether the text says that the amount is larger (`5m+`) or smaller (`<5m`). */
  bound: 'lower' | 'upper' | null
  /** Whether the text says that the amount is not exact (`~5m`, `ca. 5m`). */
  isApproximate: boolean
}

/** Longer texts are no amounts. */
const MAX_AMOUNT_LENGTH = 80

const APPROXIMATE = new Set(
  (
    '~ ≈ ± approx approximately about around ca c circa roughly etwa rund ungefähr env environ aprox cerca est estimated ' +
    'ok około okolo около'
  ).split(' '),
)
const FILLERS = new Set(['of', 'de', 'di'])
const LOWER = new Set(
  '> ≥ + over more above than min minimum least at über mehr als plus más mais ponad oltre от от'.split(' '),
)
const UPPER = new Set('< ≤ under below less up to max maximum bis jusqu unter moins menos fino до'.split(' '))
const DASHES = /[-‐‑‒–—−]/
const BETWEEN =
  /^(?:[^\p{L}]*[-‐‑‒–—−~][^\p{L}]*|.*(?:^|[^\p{L}])(?:to|and|bis|und|à|et|a|y|e|до|do|tot|en)(?:[^\p{L}].*|))$/u
const DOLLARS = /(?<!\p{L})(?:us|au|ca|hk|nz|nt|[acrs])\$/gu
const WORDS = /\p{L}+|[^\s\p{L}]/gu

interface Signs extends Omit<WrittenAmount, 'numeral'> {
  opened: boolean
}

/**
 * Parses an amount with other text around its one number: a currency, a unit, signs such as ~ and parentheses around a
 * negative one.
 * @returns `range` for two numbers; undefined for text that is no amount
 */
export function parseAmount(text: string): WrittenAmount | 'range' | undefined {
  if (text.length > MAX_AMOUNT_LENGTH) return undefined
  const plain = normalizeName(text).toLowerCase().trim()
  const [first, second, ...others] = plain.matchAll(NUMERALS)
  if (!first || others.length > 0) return undefined
  const end = first.index + first[0].length
  if (second) return BETWEEN.test(plain.slice(end, second.index)) ? 'range' : undefined
  const numeral = parseNumeral(first[0])
  if (!numeral) return undefined
  const signs: Signs = {
    ...{ isNegative: false, factor: null, currency: null, bound: null },
    ...{ isApproximate: false, opened: false },
  }
  const isRead = readBefore(plain.slice(0, first.index), signs) && readAfter(plain.slice(end), signs)
  const { opened, ...amount } = signs
  return isRead && !opened ? { numeral, ...amount } : undefined
}

/** An amount is negative once. */
function negate(signs: Signs): boolean {
  const isFirst = !signs.isNegative
  signs.isNegative = true
  return isFirst
}

function open(signs: Signs): boolean {
  const isFirst = !signs.opened
  signs.opened = true
  return isFirst
}

const wordsIn = (text: string): readonly string[] =>
  text === '' ? [] : (text.replace(DOLLARS, (sign) => ` ${DOLLAR_CODES[sign] ?? sign} `).match(WORDS) ?? [])

const DOLLAR_CODES: Readonly<Record<string, string>> = Object.fromEntries(
  ['us$', 'au$', 'ca$', 'hk$', 'nz$', 'nt$', 'a$', 'c$', 's$', 'r$'].map((sign) => [
    sign,
    (currencyNamed(sign) ?? '').toLowerCase(),
  ]),
)

function readBefore(text: string, signs: Signs): boolean {
  const words = wordsIn(text)
  return words.every((word, index) => {
    if (word === '(') return open(signs)
    if (DASHES.test(word)) return negate(signs)
    return word === '.' || readWord(word, words[index + 1], signs)
  })
}

function readAfter(text: string, signs: Signs): boolean {
  // German prices such as 5,– have no cents.
  const words = wordsIn(text.replace(/^[.,][-–—]+/, '').trim())
  let isOpen = false
  return words.every((word, index) => {
    if (word === ')' && signs.opened) {
      signs.opened = false
      return negate(signs)
    }
    if (word === '(' || word === ')') {
      isOpen = word === '('
      return true
    }
    if (DASHES.test(word) && index === words.length - 1 && !isOpen) return negate(signs)
    return word === '.' || readWord(word, words[index + 1], signs)
  })
}

function readWord(word: string, next: string | undefined, signs: Signs): boolean {
  if (FILLERS.has(word)) return true
  if (APPROXIMATE.has(word)) {
    signs.isApproximate = true
    return true
  }
  if (LOWER.has(word) || UPPER.has(word)) {
    signs.bound = UPPER.has(word) ? 'upper' : (signs.bound ?? 'lower')
    return true
  }
  // German writes thousands as T€ or TEUR.
  if (word === 't' && next && currencyNamed(next)) return addFactor(1e3, signs)
  const factor = UNIT_FACTORS.get(word)
  if (factor !== undefined) return addFactor(factor, signs)
  const currency = currencyNamed(word)
  if (currency) return addCurrency(currency, signs)
  return readCompound(word, signs)
}

const UNIT_FIRST = /^(t|k|m|mm|mn|mio|bn|b|mrd)(\p{L}{2,3})$/u
const UNIT_LAST = /^(\p{L}{2,3})(k|m|mm|mn|mio|bn|b)$/u

/** Reads a unit and a currency in one word: `meur`, `usdm`, `tchf`. */
function readCompound(word: string, signs: Signs): boolean {
  const [, first = '', second = ''] = UNIT_FIRST.exec(word) ?? []
  const currency = currencyNamed(second)
  if (currency)
    return (
      addFactor(first === 't' ? 1e3 : (UNIT_FACTORS.get(first) as number), signs) &&
      addCurrency(currency, signs)
    )
  const [, code = '', unit = ''] = UNIT_LAST.exec(word) ?? []
  const named = currencyNamed(code)
  return (
    named !== undefined && addFactor(UNIT_FACTORS.get(unit) as number, signs) && addCurrency(named, signs)
  )
}

function addFactor(factor: number, signs: Signs): boolean {
  if (signs.factor !== null) return false
  signs.factor = factor
  return true
}

/** "US$5m USD" names one currency twice. */
function addCurrency(currency: string, signs: Signs): boolean {
  if (signs.currency === null || (signs.currency === '$' && currency !== '$')) {
    signs.currency = currency
    return true
  }
  return signs.currency === currency || currency === '$'
}

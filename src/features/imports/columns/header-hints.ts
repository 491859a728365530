import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { UNIT_FACTORS } from '#src/platform/schema/numerals.ts'
import { currencyNamed, isIsoCurrency, USUAL_CODES } from '../cells/amount-words.ts'
import type { DateOrder } from '../schema.ts'
import { normalizedName } from './normalized-name.ts'

/** What the name of a column says about its values. */
export interface HeaderHints {
  /** What a number counts: 1e6 in "Revenue (EUR m)"; null: the name does not say. */
  factor: number | null
  /** An ISO 4217 code, or an ambiguous sign such as `kr`; null: the name does not say. */
  currency: string | null
  dateOrder: DateOrder | null
}

/** Notes in a name that say nothing about the kind of its values. */
const NOTES = new Set(
  (
    'hq headquarters headquarter main primary total latest last current optional required mandatory estimated est approx ' +
    'approximately text number date url link en de fr es it pt pl nl english in of per as iso alpha worldwide global annual ' +
    'year yearly fy fte ftes full time dd mm yy yyyy tt jj jjjj aaaa ltm ttm nominal official'
  ).split(' '),
)

const TOKENS = /(?:us|[acsr]|au|ca|hk|nz|nt)\$|[€$£¥₹₽₴₺₩₪]|\p{L}+|'?\d+s?/gu
const MAX_NAME_LENGTH = 200

interface Unit {
  factor?: number
  currency?: string
}

/** A token of a unit: `m`, `eur`, `meur`, `000s`. */
function unitOf(token: string, isCapital: boolean): Unit | undefined {
  if (/^'?000s?$/.test(token)) return { factor: 1e3 }
  const factor = UNIT_FACTORS.get(token)
  if (factor !== undefined) return { factor }
  const code = currencyNamed(token)
  if (code && (!isIsoCurrency(token) || isCapital || USUAL_CODES.has(token))) return { currency: code }
  const [, scale = '', usual = ''] =
    /^(t|k|m|mm|mn|mio|bn|b|mrd)(eur|usd|gbp|chf|sek|nok|dkk|pln|inr)$/.exec(token) ?? []
  if (usual)
    return {
      factor: scale === 't' ? 1e3 : (UNIT_FACTORS.get(scale) as number),
      currency: usual.toUpperCase(),
    }
  return undefined
}

interface Token {
  text: string
  unit: Unit | undefined
}

function tokensOf(text: string, isAllCapital: boolean): Token[] {
  const tokens = (text.match(TOKENS) ?? []).map((token) => ({
    text: token.toLowerCase(),
    unit: unitOf(token.toLowerCase(), !isAllCapital && /^[A-Z]{3}$/.test(token)),
  }))
  // German writes thousands as T€ or TEUR.
  return tokens.map((token, index) =>
    token.text === 't' && [tokens[index - 1], tokens[index + 1]].some((near) => near?.unit?.currency)
      ? { ...token, unit: { factor: 1e3 } }
      : token,
  )
}

const isFiller = ({ text }: Token): boolean => /^(?:in|of|en|em|w|по|us)$/.test(text)

/** The tokens at the end of a name that are units: those of "Umsatz in Mio. €". */
function trailingUnits(tokens: readonly Token[]): Token[] {
  const start = tokens.findLastIndex((token) => !token.unit && !isFiller(token)) + 1
  const found = tokens.slice(start)
  const isClear = found.some(({ text, unit }) => unit?.currency || text === 'in' || (unit && text.length > 1))
  return start > 0 && isClear && found.some(({ unit }) => unit) ? found : []
}

interface NameParts {
  /** Without notes in brackets. */
  main: string
  notes: string[]
}

function partsOf(name: string): NameParts {
  const text = normalizeName(name)
    .slice(0, MAX_NAME_LENGTH)
    .replace(/([\p{L}])_(?=\p{L})/gu, '$1 ')
  const notes = [...text.matchAll(/[([]([^()[\]]*)[)\]]/g)].map(([, note = '']) => note)
  return { main: text.replace(/[([][^()[\]]*[)\]]/g, ' '), notes }
}

const isAllCapital = (name: string): boolean => name === name.toUpperCase()

/** What the name of a column says about the format of its values. */
export function headerHints(name: string): HeaderHints {
  const { main, notes } = partsOf(name)
  const isCapital = isAllCapital(name)
  const mainTokens = tokensOf(main, isCapital)
  const tokens = [...notes.flatMap((note) => tokensOf(note, false)), ...trailingUnits(mainTokens)]
  const sign = mainTokens.find(({ text, unit }) => unit?.currency && /[^\p{L}\d]/u.test(text))
  const units = [...tokens, ...(sign ? [sign] : [])].flatMap(({ unit }) => unit ?? [])
  return {
    factor: units.find(({ factor }) => factor !== undefined)?.factor ?? null,
    currency: units.find(({ currency }) => currency !== undefined)?.currency ?? null,
    dateOrder: dateOrderIn(name),
  }
}

/** What a line is about that names the currency of a table: "All amounts in USD". */
const ABOUT_AMOUNTS =
  /(?:^|[^\p{L}])(?:amounts?|figures?|values?|currency|money|beträge|angaben|werte|währung|montants?|devise|importes?|moneda|valores|moeda|importi|valuta|bedragen|kwoty|waluta|суммы|валюта)(?:$|[^\p{L}])/iu

/**
 * What is known of a column of amounts from its name, or else from the lines above the table: "Figures in millions of EUR".
 */
export function amountHints(name: string, preamble: readonly string[]): HeaderHints {
  const own = headerHints(name)
  if (own.currency !== null) return own
  const said = preamble
    .map((line) => ({ hints: headerHints(line), line: line.slice(0, MAX_NAME_LENGTH) }))
    .find(({ hints, line }) => hints.factor !== null || (hints.currency !== null && ABOUT_AMOUNTS.test(line)))
  return said ? { ...own, factor: own.factor ?? said.hints.factor, currency: said.hints.currency } : own
}

const DATE_ORDERS: readonly [DateOrder, RegExp][] = [
  ['ymd', /(?:^|[^\p{L}])(?:yy|jj|aa|rr)?(?:yy|jj|aa|rr|гг)[-./ ]?mm/iu],
  ['dmy', /(?:^|[^\p{L}])(?:dd?|tt?|jj?|gg?|дд)[-./ ]?mm?[-./ ]?(?:yy|jj|aa|rr|гг)/iu],
  ['mdy', /(?:^|[^\p{L}])mm?[-./ ]?dd?[-./ ]?yy/iu],
]

const dateOrderIn = (name: string): DateOrder | null =>
  DATE_ORDERS.find(([, pattern]) => pattern.test(name.slice(0, MAX_NAME_LENGTH)))?.[0] ?? null

const isNote = ({ text, unit }: Token): boolean =>
  unit !== undefined || NOTES.has(text) || /^(?:\d|(?:fy)?(?:19|20)\d\d|fy\d\d)$/.test(text)

/** The normalized name of a column without notes: "City (HQ)" is a city. */
export function coreName(name: string): string {
  const { main, notes } = partsOf(name)
  const isPlain = notes.every((note) => tokensOf(note, false).every(isNote))
  return isPlain ? normalizedName(main) : ''
}

/** The normalized name of a column of amounts without units: "Umsatz in Mio. €" is Umsatz. */
export function amountName(name: string): string {
  const { main } = partsOf(name)
  const tokens = tokensOf(main, isAllCapital(name))
  const units = trailingUnits(tokens)
  const isPlain = coreName(name) !== ''
  if (!isPlain) return ''
  return normalizedName(
    tokens
      .slice(0, tokens.length - units.length)
      .map(({ text }) => text)
      .join(' '),
  )
}

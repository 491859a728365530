const ISO_CODES: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
)

/** Whether the text is an ISO 4217 code in lower case. */
export const isIsoCurrency = (text: string): boolean => ISO_CODES.has(text)

const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  ...currency('EUR', '€ euro euros'),
  ...currency('GBP', '£ pound pounds sterling'),
  ...currency('$', '$ dollar dollars'),
  ...currency('USD', 'us$'),
  ...currency('AUD', 'a$ au$'),
  ...currency('CAD', 'c$ ca$'),
  ...currency('SGD', 's$'),
  ...currency('HKD', 'hk$'),
  ...currency('NZD', 'nz$'),
  ...currency('TWD', 'nt$'),
  ...currency('BRL', 'r$ real reais'),
  ...currency('CHF', 'sfr fr'),
  ...currency('¥', '¥ ￥'),
  ...currency('JPY', 'yen 円'),
  ...currency('CNY', 'rmb yuan 元'),
  ...currency('INR', '₹'),
  ...currency('rs', 'rs rupees'),
  ...currency('PLN', 'zł zl złotych'),
  ...currency('CZK', 'kč'),
  ...currency('HUF', 'ft'),
  ...currency('kr', 'kr'),
  ...currency('RUB', '₽ руб рублей'),
  ...currency('UAH', '₴ грн'),
  ...currency('TRY', '₺ tl'),
  ...currency('KRW', '₩ 원'),
  ...currency('ILS', '₪ nis'),
}

function currency(code: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, code]))
}

/** The ISO 4217 code of a currency's sign, name, or code in lower case; an ambiguous sign stays as it is. */
export const currencyNamed = (word: string): string | undefined =>
  Object.hasOwn(CURRENCY_WORDS, word)
    ? CURRENCY_WORDS[word]
    : ISO_CODES.has(word)
      ? word.toUpperCase()
      : undefined

/** What a sign of several currencies may mean, the usual one first. */
const AMBIGUOUS: Readonly<Record<string, { codes: readonly string[]; usual: string | null }>> = {
  $: {
    codes: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'TWD', 'MXN', 'CLP', 'COP', 'ARS'],
    usual: 'USD',
  },
  '¥': { codes: ['JPY', 'CNY'], usual: null },
  kr: { codes: ['SEK', 'NOK', 'DKK', 'ISK'], usual: null },
  rs: { codes: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'], usual: 'INR' },
}

/**
 * The ISO 4217 code of a sign in a column of this currency; null: ambiguous.
 * @param sign a result of `currencyNamed`
 */
export function currencyOf(sign: string, ofColumn: string | null): string | null {
  const ambiguous = Object.hasOwn(AMBIGUOUS, sign) ? AMBIGUOUS[sign] : undefined
  if (!ambiguous) return sign
  return ofColumn && ambiguous.codes.includes(ofColumn) ? ofColumn : ambiguous.usual
}

/** Codes that are no word in any spelling. Others count only in capitals. */
export const USUAL_CODES: ReadonlySet<string> = new Set(
  'eur usd gbp chf inr brl jpy cny sek nok dkk pln aud cad sgd hkd czk huf krw zar mxn nzd ils aed rub uah'.split(
    ' ',
  ),
)

const MAX_TEXT_LENGTH = 200
const UNMISTAKABLE = new RegExp(
  `(?<!\\p{L})(?:us|au|ca|hk|nz|nt|[acrs])\\$|[€$£¥₹₽₴₺₩₪]|(?<!\\p{L})(?:${[...USUAL_CODES].join('|')})(?!\\p{L})`,
  'gu',
)

/** The currencies that a text mentions: results of `currencyNamed`. */
export const currenciesMentioned = (text: string): string[] =>
  (text.slice(0, MAX_TEXT_LENGTH).toLowerCase().match(UNMISTAKABLE) ?? []).flatMap(
    (sign) => currencyNamed(sign) ?? [],
  )

/** Whether a result of `currencyNamed` is a sign of several currencies. */
export const isAmbiguous = (sign: string): boolean => Object.hasOwn(AMBIGUOUS, sign)

/** Whether this currency is one of several that a sign may mean. */
export const mayMean = (sign: string, currency: string): boolean =>
  isAmbiguous(sign) && AMBIGUOUS[sign]?.codes.includes(currency) === true

const EITHER = new Intl.ListFormat('en', { type: 'disjunction' })

/** The usual currencies that a sign may mean, for messages: "SEK, NOK, DKK, or ISK". */
export const possibleCurrencies = (sign: string): string =>
  EITHER.format((AMBIGUOUS[sign]?.codes ?? [sign]).slice(0, 4))

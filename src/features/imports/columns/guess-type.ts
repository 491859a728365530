import { type CustomFieldType, MAX_CUSTOM_TEXT_LENGTH } from '#src/features/fields/index.ts'
import { isWebUrl } from '#src/platform/network/addresses.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import { currencyOf, isAmbiguous } from '../cells/amount-words.ts'
import { parseBoolean } from '../cells/booleans.ts'
import { parseDate, possibleOrders } from '../cells/dates.ts'
import { isPlaceholder } from '../cells/placeholders.ts'
import { parseList } from '../cells/value-list.ts'
import { parseAmount } from '../cells/written-amounts.ts'
import { headerHints } from './header-hints.ts'
import { normalizedName } from './normalized-name.ts'

/** A column with fewer values is not a select. */
const MIN_SELECT_VALUES = 20
const MAX_SELECT_OPTIONS = 50
const MAX_MULTI_SELECT_OPTIONS = 100
const MAX_OPTION_LENGTH = 60
/** How often an option occurs on average. */
const MIN_OPTION_USES = 4

/**
 * The type of a column of cells that are not blank: the most specific one that fits all of them.
 * @param name of the column, which may name a currency or say that its numbers are ids
 */
export function guessType(cells: readonly string[], name = ''): CustomFieldType {
  const values = cells.filter((cell) => !isPlaceholder(cell))
  if (values.length === 0) return 'text'
  const all = (isValid: (cell: string) => boolean) => values.every(isValid)
  if (all((cell) => parseBoolean(cell) !== undefined && !/^\d$/.test(cell))) return 'boolean'
  if (all(isPlainNumber)) return isIdentifier(name) || values.some(isLong) ? 'text' : numberType(name)
  if (currencyIn(values, name)) return 'money'
  if (all(isWrittenDate)) return 'date'
  if (all(isEmailAddress)) return 'email'
  if (all((cell) => /^https?:\/\//i.test(cell) && isWebUrl(cell))) return 'url'
  if (isMultiSelect(values)) return 'multi_select'
  if (isSelect(values, MAX_SELECT_OPTIONS)) return 'select'
  return all((cell) => cell.length <= MAX_CUSTOM_TEXT_LENGTH / 2 && !cell.includes('\n'))
    ? 'text'
    : 'long_text'
}

const numberType = (name: string): 'money' | 'number' => (headerHints(name).currency ? 'money' : 'number')

/** Longer whole numbers are not stored exactly. */
const isLong = (cell: string): boolean => /^-?\d{16}/.test(cell)

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Words for ids, wherever they stand in the name of a column. */
const IDS =
  words(`id ids uuid guid vat vatin tin ein crn duns lei isin cusip figi abn acn eori cnpj cpf cuit rut rfc
  nif cif siren siret naf nip regon krs kvk hrb plz postleitzahl zip postcode postal phone telephone telefon
  telefono mobile fax iban bic sku инн огрн кпп телефон`)
/** Words for ids at the end of a name. "Number of rounds" is a number. */
const LAST = words(
  'code codes key ref reference number no nr num numero numer codigo codice kod kennung код номер',
)
const FIRST = words('code codigo codice kod код')
const COMPOUND =
  /(?:nummer|number|idnr|kennziffer|schlussel)$|^(?:record|company|org|organi[sz]ation|account|deal|user|external|crm)ids?$/
const MAX_NAME_LENGTH = 200
const MEASURES = words('amount rate paid percent total count sum average avg max min mean')

/** Whether the numbers of a column with this name are ids, with which nothing is calculated. */
function isIdentifier(name: string): boolean {
  const parts = normalizedName(name.slice(0, MAX_NAME_LENGTH)).split(' ')
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  if (parts.some((part) => MEASURES.has(part))) return false
  return parts.some((part) => IDS.has(part)) || LAST.has(last) || FIRST.has(first) || COMPOUND.test(last)
}

/**
 * The one currency of a column of amounts; undefined if there is none, or several.
 * @param name of the column, whose currency is that of cells without one
 */
export function currencyIn(cells: readonly string[], name: string): string | undefined {
  const ofColumn = headerHints(name).currency
  const currencies = new Set<string | null>()
  for (const cell of cells) {
    if (isPlaceholder(cell)) continue
    const amount = parseAmount(cell)
    if (typeof amount !== 'object' || amount.bound === 'upper') return undefined
    const sign = amount.currency ?? ofColumn
    currencies.add(sign && currencyOf(sign, ofColumn))
  }
  const [currency] = currencies
  return currencies.size === 1 && currency && !isAmbiguous(currency) ? currency : undefined
}

/** Digits with leading zeros are codes rather than numbers, and those after a plus sign are phone numbers. */
const isPlainNumber = (cell: string): boolean =>
  !/^(?:-?0\d|\+\d)/.test(cell) &&
  /^[-−(]?\d[\d.,'’ ]*(?:e[+-]?\d+)?\)?$/i.test(cell.slice(0, 50)) &&
  typeof parseAmount(cell) === 'object'

function isWrittenDate(cell: string): boolean {
  const date = /^\d+(?:\.\d+)?$/.test(cell) ? undefined : parseDate(cell)
  return date !== undefined && ('day' in date || possibleOrders(date).length > 0)
}

function isSelect(labels: readonly string[], maxOptions: number): boolean {
  const options = new Set(labels)
  return (
    labels.length >= MIN_SELECT_VALUES &&
    options.size <= maxOptions &&
    options.size * MIN_OPTION_USES <= labels.length &&
    [...options].every(({ length }) => length <= MAX_OPTION_LENGTH)
  )
}

/** Commas alone do not make a list: locations and names have them too. */
const isList = (cell: string): boolean => /[;|]|^[[{].*[\]}]$/s.test(cell)

function isMultiSelect(cells: readonly string[]): boolean {
  if (!cells.some(isList)) return false
  const lists = cells.map((cell) => parseList(cell) ?? [cell])
  const hasSeveral = lists.filter(({ length }) => length > 1).length * 4 >= cells.length
  return hasSeveral && isSelect(lists.flat(), MAX_MULTI_SELECT_OPTIONS)
}

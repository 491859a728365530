import { type CellObject, SSF } from '@e965/xlsx'

const ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
}

/** The text of a cell: numbers with a decimal point, and dates in ISO 8601. */
export function cellText(cell: CellObject | undefined, date1904: boolean): string {
  if (cell === undefined || cell.v === undefined || cell.v === null) return ''
  if (cell.t === 'n') return numberText(cell.v as number, String(cell.z ?? ''), date1904)
  if (cell.t === 'b') return cell.v ? 'true' : 'false'
  if (cell.t === 'e') return ERRORS[cell.v as number] ?? cell.w ?? '#N/A'
  if (cell.v instanceof Date) return cell.v.toISOString()
  return String(cell.v)
}

/** A spreadsheet computes with 15 digits. */
const DIGITS = 15
const MAX_FORMAT_LENGTH = 200
const CODE = /^0{2,15}$/

function numberText(value: number, format: string, date1904: boolean): string {
  if (format === '' || format === 'General' || format.length > MAX_FORMAT_LENGTH) return plainNumber(value)
  if (value >= 0 && SSF.is_date(format)) return dateText(value, format, date1904)
  // Numbers such as postcodes have zeros in front.
  if (CODE.test(format) && Number.isInteger(value) && value >= 0)
    return String(value).padStart(format.length, '0')
  if (isPercentage(format)) return `${plainNumber(value * 100)}%`
  const currency = currencyOf(format)
  return currency.length > 1 ? `${currency} ${plainNumber(value)}` : `${currency}${plainNumber(value)}`
}

const plainNumber = (value: number): string => {
  const rounded = Number(value.toPrecision(DIGITS))
  return Number.isInteger(rounded) && Math.abs(rounded) >= 1e21 ? BigInt(rounded).toString() : String(rounded)
}

const withoutQuoted = (format: string): string => format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')

const isPercentage = (format: string): boolean => withoutQuoted(format).includes('%')

const BRACKETED = /\[[^\]]*\]/g
const BRACKETS = /\[\$([^\]-]+)(?:-[^\]]*)?\]/
const SIGN = /[$€£¥₹₽₩₺₴₪฿₫₱₦₡₲₵₸]/
const QUOTED_CODE = /"\s*([A-Z]{3}|kr|zł|Kč|Ft|lei|R\$)\.?\s*"/

/** The sign or code that the format shows beside the number. */
const currencyOf = (format: string): string =>
  (
    BRACKETS.exec(format)?.[1] ??
    QUOTED_CODE.exec(format)?.[1] ??
    SIGN.exec(format.replace(BRACKETED, ''))?.[0] ??
    ''
  ).trim()

const DURATION = /\[[hms]+\]/i

/** Without a time zone: the parts that the sheet shows. */
function dateText(value: number, format: string, date1904: boolean): string {
  const parts = SSF.parse_date_code(value, { date1904 })
  if (!parts) return plainNumber(value)
  const { y, m, d, H, M, S } = parts
  const time = `${pad(H)}:${pad(M)}:${pad(S)}`
  if (DURATION.test(format)) return `${Math.floor(value) * 24 + H}:${pad(M)}:${pad(S)}`
  if (value < 1 && !date1904) return time
  const date = `${String(y).padStart(4, '0')}-${pad(m)}-${pad(d)}`
  return H === 0 && M === 0 && S === 0 ? date : `${date}T${time}`
}

const pad = (part: number): string => String(part).padStart(2, '0')

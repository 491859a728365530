import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { withoutAccents } from '#src/platform/accents.ts'

/** What is written instead of a contact's details. */
export const ERASED_CONTACT = '[erased contact]'

/** The details by which texts name a contact, present and previous ones. */
export interface ContactDetails {
  names: string[]
  emails: string[]
  /** As E.164. */
  phones: string[]
  /** Web addresses. */
  links: string[]
}

const WORD_START = '(?<![\\p{L}\\p{N}])'
const WORD_END = '(?![\\p{L}\\p{N}])'
const BETWEEN_WORDS = '[^\\p{L}\\p{N}]{1,4}'
const MAX_ADDRESS_LENGTH = 320
const BETWEEN_DIGITS = '[\\s().\\-/]{0,3}'

/**
 * Whether a value of a field is text in which a contact may be named.
 * @param isInText whether it is part of a value that is
 */
export type IsText = (field: string, isInText: boolean) => boolean

/**
 * Finds a contact's details in text as whole words, ignoring case and accents: names in both orders, email addresses also
 * in URLs, and phone numbers however they are grouped, with and without the country code. Names are not found in the
 * email addresses of users.
 */
export class ContactPattern {
  readonly #pattern: RegExp | undefined
  readonly #users: ReadonlySet<string>

  /** @param users the email addresses of users */
  constructor({ names, emails, phones, links }: ContactDetails, users: readonly string[] = []) {
    const own = new Set(emails.map(foldText))
    this.#users = new Set(users.map(foldText).filter((email) => !own.has(email)))
    const patterns = [
      ...emails.map(emailPattern),
      ...links.map(linkPattern),
      ...names.flatMap(namePatterns),
      ...phones.map(phonePattern),
    ].filter((pattern) => pattern !== '')
    this.#pattern = patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'gu')
  }

  replacedIn(text: string): string {
    if (!this.#pattern) return text
    const { folded, positions } = fold(text)
    let result = ''
    let end = 0
    for (const match of folded.matchAll(this.#pattern)) {
      const matchEnd = match.index + match[0].length
      if (this.#users.has(addressAround(folded, match.index, matchEnd))) continue
      result += text.slice(end, positions[match.index]) + ERASED_CONTACT
      end = positions[matchEnd] as number
    }
    return result + text.slice(end)
  }

  /** A JSON value with the details replaced in its texts. Names of fields stay. */
  replacedInValue(value: unknown, isText: IsText, isInText = false): unknown {
    if (typeof value === 'string') return isInText ? this.replacedIn(value) : value
    if (Array.isArray(value)) return value.map((item) => this.replacedInValue(item, isText, isInText))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([field, item]) => [
        field,
        this.replacedInValue(item, isText, isText(field, isInText)),
      ]),
    )
  }
}

/** The characters around a part of a text that may be one email address with it. */
function addressAround(text: string, start: number, end: number): string {
  const [before] = /[\p{L}\p{N}_.+@-]*$/u.exec(
    text.slice(Math.max(0, start - MAX_ADDRESS_LENGTH), start),
  ) ?? ['']
  const [after] = /^[\p{L}\p{N}_.+@-]*/u.exec(text.slice(end, end + MAX_ADDRESS_LENGTH)) ?? ['']
  return (before + text.slice(start, end) + after).replace(/\.+$/, '')
}

const foldText = (text: string): string => withoutAccents(text).toLowerCase()

/** The text without case and accents, and for each of its units, and for its end, the position in the original. */
function fold(text: string): { folded: string; positions: number[] } {
  let folded = ''
  const positions: number[] = []
  let position = 0
  for (const character of text) {
    const units = foldText(character)
    folded += units
    for (let unit = 0; unit < units.length; unit++) positions.push(position)
    position += character.length
  }
  positions.push(position)
  return { folded, positions }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A name, and with several words also its last word before the others: `Solberg, Ingrid`. */
function namePatterns(name: string): string[] {
  const words = foldText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const last = words.at(-1)
  if (last === undefined) return []
  const orders = words.length > 1 ? [words, [last, ...words.slice(0, -1)]] : [words]
  return orders.map((order) => WORD_START + order.map(escaped).join(BETWEEN_WORDS) + WORD_END)
}

function emailPattern(email: string): string {
  const address = Array.from(foldText(email), (character) =>
    /[\p{L}\p{N}]/u.test(character)
      ? character
      : `(?:${escaped(character)}|%${Buffer.from(character).toString('hex')})`,
  ).join('')
  return `(?:(?<![\\w.+\\-])|(?<=%[0-9a-f]{2}))${address}(?![\\w\\-]|\\.\\w)`
}

function linkPattern(link: string): string {
  const address = foldText(link)
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/\/+$/, '')
  return address === '' ? '' : `(?:https?:\\/\\/)?(?:www\\.)?${WORD_START}${escaped(address)}\\/?${WORD_END}`
}

function phonePattern(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone)
  if (!parsed) return ''
  const digits = (text: string) => [...text].join(BETWEEN_DIGITS)
  const country = `(?:(?:\\+|00)${BETWEEN_DIGITS})?${digits(parsed.countryCallingCode)}${BETWEEN_DIGITS}`
  return `(?<!\\d)(?:${country})?(?:\\(?0\\)?${BETWEEN_DIGITS})?${digits(parsed.nationalNumber)}(?!\\d)`
}

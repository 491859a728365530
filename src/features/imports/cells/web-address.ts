import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { isWebUrl } from '#src/platform/network/addresses.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { isPlaceholder } from './placeholders.ts'
import { MAX_VALUE_LENGTH, PLACEHOLDER, type Reading } from './reading.ts'

const SCHEME = /\bh{0,2}t{1,3}ps?(?:\s?[:;]+\s?[/\\]+|\s?[/\\]{2,}|:(?=www\.))/gi
const REPEATED_SCHEME = /(?:https?:\/\/){2,}/gi
const MARKDOWN = /\[[^[\]]*\]\(\s*<?([^\s()<>]+)/
const FORMULA = /^\s*=\s*[\p{L}._]+\(\s*["'“]([^"'“”]+)/u
const ANCHOR = /\bhref\s*=\s*["']?([^"'\s>]+)/i
const BARE_HOST = /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\/?$/i
const EMAIL = /^(?:mailto:|https?:\/\/)?[^\s@/]+@[^\s@/]+\.[^\s@/]+$/i

const REPAIRED = 'The web address was repaired.'
const SEVERAL = 'The first of several web addresses was stored.'
const SURROUNDED = 'Only the web address in the cell was stored.'

/**
 * Reads the web address in a cell that may have other text. A missing scheme is added, a mistyped one repaired, and a host in
 * Punycode gets its letters.
 * @param field its name, for messages
 */
export function readWebAddress(text: string, field: string): Reading<string> {
  if (/^https?:\/*$/i.test(text)) return PLACEHOLDER
  if (text.length > MAX_VALUE_LENGTH) return { error: allowed(field) }
  const address = BARE_HOST.test(text) ? `https://${text}` : isOneAddress(text) ? text : undefined
  const whole = address && usable(address)
  if (whole) return { value: whole }
  const linked = (FORMULA.exec(text) ?? MARKDOWN.exec(text) ?? ANCHOR.exec(text))?.[1]
  const input = normalizeName(linked ?? text)
  const repaired = input.replace(SCHEME, schemeOf).replace(REPEATED_SCHEME, lastScheme)
  if (isPlaceholder(repaired.replace(/^https?:\/\//i, '').replace(/\/$/, ''))) return PLACEHOLDER
  const found = addressesIn(repaired)
  const [first] = found.addresses
  if (first === undefined) return { error: found.hasEmail ? email(field) : allowed(field) }
  const isWhole = !found.hasOthers && linked === undefined
  const isRepaired = repaired !== input || /^\/\//.test(input)
  return {
    value: first,
    note: found.addresses.length > 1 ? SEVERAL : isRepaired ? REPAIRED : isWhole ? undefined : SURROUNDED,
  }
}

const isOneAddress = (text: string): boolean =>
  /^https?:\/\/[^\s"<>]+$/i.test(text) &&
  !/[;,|](?:https?:|www\.)|^.{8}.*:\/\/|^https?:\/\/https?[:;./]+/i.test(text)

const allowed = (field: string): string =>
  `${field} must be a web address of up to ${MAX_VALUE_LENGTH} characters, such as https://www.example.com.`

const email = (field: string): string =>
  `${field} must be a web address. An email address is not a web address.`

const schemeOf = (scheme: string): string => (/ps/i.test(scheme) ? 'https://' : 'http://')

const lastScheme = (schemes: string): string => schemes.slice(schemes.toLowerCase().lastIndexOf('http'))

interface Found {
  addresses: string[]
  hasEmail: boolean
  /** Whether the cell also has other text. */
  hasOthers: boolean
}

const LEADING = /^[([{<"'“‘«*]+/
const TRAILING = /[.,;:!?>"'”’»*]+$/

/** Closing brackets belong to an address that has opening ones. */
const trimmed = (word: string): string => {
  const bare = word.replace(LEADING, '').replace(TRAILING, '')
  const closed = /[([{]/.test(bare) ? bare : bare.replace(/[)\]}]+$/, '')
  return closed.replace(TRAILING, '').replace(/^\/\/(?=[^/])/, '')
}

function addressesIn(text: string): Found {
  const words = text
    .split(/[\s;|<>]+|,(?=\s|$|https?:|www\.)/i)
    .filter(Boolean)
    .flatMap(betweenCommas)
  const found: Found = { addresses: [], hasEmail: false, hasOthers: false }
  let isExpected = true
  for (const word of words) {
    const bare = trimmed(word)
    const address = addressOf(bare, isExpected)
    if (address && !found.addresses.includes(address)) found.addresses.push(address)
    else if (EMAIL.test(bare)) found.hasEmail = true
    if (!address) found.hasOthers = true
    isExpected = address !== undefined
  }
  return found
}

/** "a.example,b.example" are two addresses, but a path may have commas. */
function betweenCommas(word: string): string[] {
  if (/^(?:https?:)?\/\//i.test(word) || !word.includes(',')) return [word]
  const parts = word.split(',').filter(Boolean)
  return parts.every((part) => /^[^/@]+\.\p{L}{2,}(?:\/|$)/u.test(part)) ? parts : [word]
}

/** @param isExpected whether no other words stand before this one, which may be an abbreviation without a scheme */
function addressOf(word: string, isExpected: boolean): string | undefined {
  if (/^https?:\/\//i.test(word)) return usable(word)
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(word) || /[@,]/.test(word.split('/', 1)[0] as string))
    return undefined
  const address = usable(`https://${word}`)
  if (!address || !hasTopLevelDomain(address)) return undefined
  const isClear = isExpected || /^www\./i.test(word) || parse(address).isIcann === true
  return isClear ? address : undefined
}

/** A host without a scheme ends in letters, unless it is an IP address. */
function hasTopLevelDomain(address: string): boolean {
  const { hostname } = new URL(address)
  return (
    /\.(?:[a-z]{2,}|xn--[a-z0-9-]+)\.?$/.test(hostname) ||
    (/^[\d.]+$/.test(hostname) && address.includes(hostname))
  )
}

/** The address with its host in letters; undefined if no website can have it. */
function usable(text: string): string | undefined {
  if (!isWebUrl(text)) return undefined
  const { hostname, username, password } = new URL(text)
  if (username || password || text.length > MAX_VALUE_LENGTH) return undefined
  if (!/[^.]\.[^.]/.test(hostname) || /^www\.?$|\.\./.test(hostname)) return undefined
  return hostname.includes('xn--') ? withLetters(text, hostname) : text
}

function withLetters(text: string, hostname: string): string {
  const letters = domainToUnicode(hostname)
  if (!letters || domainToASCII(letters) !== hostname || !/xn--/i.test(text)) return text
  return text.replace(/^(https?:\/\/)[^/?#:]+/i, `$1${letters}`)
}

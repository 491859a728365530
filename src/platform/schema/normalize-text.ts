const NON_ASCII = /[^\0-\x7f]/
const ODD_SPACE = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/
const ODD_SPACES = new RegExp(ODD_SPACE, 'g')
const IGNORABLE = '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]'
/** Whether these are visible depends on their neighbors: joiners, selectors of variants, and the tags of flags. */
const DEPENDENT = '[\\u180b-\\u180f\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0000}-\\u{e01ef}]'
const HAS_INVISIBLE = new RegExp(IGNORABLE, 'u')
const HAS_DEPENDENT = new RegExp(DEPENDENT, 'u')
const ALWAYS_INVISIBLE = new RegExp(`[${IGNORABLE}--${DEPENDENT}]+`, 'gv')

/** Tags spell the region of a flag such as Scotland's. Elsewhere they are hidden text. */
const TAGS = /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f})|[\u{e0000}-\u{e00ff}]/gu

/** Selectors of variants that do not follow a character with variants. */
const STRAY_SELECTORS = new RegExp(
  [
    '(?<!\\p{Extended_Pictographic}|[0-9#*](?=\\ufe0f\\u20e3))[\\ufe0e\\ufe0f]',
    '(?<![\\p{Script=Han}\\p{Script=Myanmar}\\p{Script=Phags_Pa}\\p{Sm}])[\\ufe00-\\ufe0d]',
    '(?<!\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
    '(?<![\\u1820-\\u18aa])[\\u180b-\\u180d\\u180f]',
    '(?<![\\u1820-\\u18aa\\u180b-\\u180d\\u180f])\\u180e',
    '\\u180e(?![\\u1820-\\u18aa])',
  ].join('|'),
  'gu',
)

/** Scripts in which U+200C and U+200D change the shape of letters. */
const SHAPING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Mongolian', 'Nko', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Myanmar', 'Khmer', 'Tibetan', 'Balinese', 'Javanese', 'Sundanese', 'Tai_Tham', 'Grantha'],
  ...['Chakma', 'Meetei_Mayek', 'Newa', 'Tirhuta', 'Kaithi', 'Sharada', 'Modi', 'Takri', 'Syloti_Nagri'],
]
const SHAPING = `(?:(?=[\\p{L}\\p{M}])[${SHAPING_SCRIPTS.map((name) => `\\p{scx=${name}}`).join('')}])`
const ENDS_WITH_SHAPING = new RegExp(`${SHAPING}$`, 'u')
const STARTS_WITH_SHAPING = new RegExp(`^${SHAPING}`, 'u')
/** A virama followed by U+200D is a letter of its own at the end of a word, such as a chillu of Malayalam. */
const ENDS_WITH_VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]$/
const ENDS_WITH_EMOJI = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
const STARTS_WITH_EMOJI = /^\p{Extended_Pictographic}/u

const JOINERS = /(?:\u200c|\u200d)+/g
const REPEATED_JOINER = /(\u200c|\u200d)\1+/g

/**
 * The text in Unicode's composed form (NFC), without characters that nobody sees, and with plain spaces instead of no-break
 * and other special ones. Tabs and line breaks stay, and so do joiners in words that need them and in emoji. Linear in the
 * length; ASCII comes back as it is.
 */
export function normalizeText(text: string): string {
  if (!NON_ASCII.test(text)) return text
  const spaced = ODD_SPACE.test(text) ? text.replace(ODD_SPACES, ' ') : text
  let normalized = spaced.normalize('NFC')
  // Without one character, its neighbor may become one that is not needed.
  for (let previous = ''; previous !== normalized && HAS_INVISIBLE.test(normalized); ) {
    previous = normalized
    normalized = withoutInvisible(normalized).normalize('NFC')
  }
  return normalized
}

/**
 * The text with full-width letters, digits, and signs (U+FF01 to U+FF5E) as ASCII. The result may need `normalizeText`, as
 * ASCII letters compose with accents.
 */
export const foldWidth = (text: string): string =>
  NON_ASCII.test(text)
    ? text.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    : text

/** `normalizeText` for names, codes, and addresses: full-width characters become ASCII. */
export const normalizeName = (text: string): string => normalizeText(foldWidth(text))

/**
 * Normalizes every text in a JSON value, in place where possible. Names of properties stay.
 * @param skipped names of properties of the value itself that are left alone
 */
export function normalizeTexts(value: unknown, skipped?: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return normalizeText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) normalizePart(value, index)
    return value
  }
  for (const name of Object.keys(value))
    if (!skipped?.has(name)) normalizePart(value as Record<string, unknown>, name)
  return value
}

/** Assigns only what differs, as most of a body is ASCII or numbers. */
function normalizePart<K extends string | number>(parts: Record<K, unknown>, name: K): void {
  const part = parts[name]
  const normalized = normalizeTexts(part)
  if (normalized !== part) parts[name] = normalized
}

function withoutInvisible(text: string): string {
  const visible = text.replace(ALWAYS_INVISIBLE, '')
  if (!HAS_DEPENDENT.test(visible)) return visible
  return visible.replace(TAGS, '$1').replace(STRAY_SELECTORS, '').replace(JOINERS, neededJoiners)
}

function neededJoiners(joiners: string, start: number, text: string): string {
  const before = text.slice(Math.max(0, start - 2), start)
  const after = text.slice(start + joiners.length, start + joiners.length + 2)
  return isNeeded(before, after, joiners) ? joiners.replace(REPEATED_JOINER, '$1') : ''
}

function isNeeded(before: string, after: string, joiners: string): boolean {
  if (ENDS_WITH_SHAPING.test(before) && STARTS_WITH_SHAPING.test(after)) return true
  const startsWide = joiners.startsWith('\u200d')
  if (startsWide && ENDS_WITH_VIRAMA.test(before)) return true
  return startsWide && ENDS_WITH_EMOJI.test(before) && STARTS_WITH_EMOJI.test(after)
}

/** How much of a text decides what kind of text it is. */
const DECISIVE_LENGTH = 8192

/** Control characters that texts do not have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/

/**
 * The media type of a text; undefined if it is no text.
 * @param isCut whether the file goes on after this beginning
 */
export function sniffText(start: Buffer, isCut: boolean): string | undefined {
  const text = decode(start, isCut)
  if (text === undefined || CONTROLS.test(text)) return undefined
  const beginning = text.slice(0, DECISIVE_LENGTH).trimStart()
  if (beginning.startsWith('<')) return markup(beginning)
  if (isEmail(beginning)) return 'message/rfc822'
  return isMarkdown(beginning) ? 'text/markdown' : 'text/plain'
}

/** Whether it begins as a text in UTF-16 does. */
export const hasByteOrderMark = (bytes: Buffer): boolean => encodingOf(bytes) !== undefined

const encodingOf = (bytes: Buffer): string | undefined => MARKS[bytes.subarray(0, 2).toString('hex')]

const MARKS: Record<string, string> = { fffe: 'utf-16le', feff: 'utf-16be' }

/** The text in UTF-8, in UTF-16 with a byte order mark, or else in an encoding of one byte per character. */
function decode(bytes: Buffer, isCut: boolean): string | undefined {
  const marked = encodingOf(bytes)
  const encodings = marked ? [marked] : ['utf-8', 'windows-1252']
  for (const encoding of encodings)
    try {
      // A character may be cut in two at the end.
      return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut })
    } catch {}
  return undefined
}

const HTML =
  /<!doctype\s+html|<(?:html|head|title|meta|link|style|script|body|iframe|object|embed|div|p|a|img|table|form|br|h[1-6])\b/i

/** What begins with `<`: HTML, SVG, other XML, or a text that only looks like it. */
function markup(text: string): string {
  const withoutComments = text.replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  if (/<(?:\w+:)?svg[\s>/]/i.test(withoutComments)) return 'image/svg+xml'
  if (HTML.test(withoutComments)) return 'text/html'
  return /^<(?:\?xml\b|!doctype\b|[a-z_][\w.:-]*[\s>/])/i.test(withoutComments.trimStart())
    ? 'application/xml'
    : 'text/plain'
}

const HEADER = /^[!-9;-~]+:(?:[ \t]|$)/
const KNOWN_HEADERS = /^(?:from|to|subject|date|message-id|received|return-path|mime-version|delivered-to):/i

/** An email begins with headers: all lines up to an empty one are headers or continue one, and three are well known. */
function isEmail(text: string): boolean {
  const [block = ''] = text.split(/\r?\n\r?\n/, 1)
  const lines = block.split(/\r?\n/)
  const [first = ''] = lines
  if (
    !HEADER.test(first) ||
    !lines.every((line) => HEADER.test(line) || /^[ \t]/.test(line) || line === lines.at(-1))
  )
    return false
  return new Set(lines.flatMap((line) => KNOWN_HEADERS.exec(line)?.[0].toLowerCase() ?? [])).size >= 3
}

/** A heading, a fenced block, or a link. */
const isMarkdown = (text: string): boolean =>
  /^#{1,6} \S/m.test(text) || /^(?:```|~~~)/m.test(text) || /\[[^\]\n]+\]\([^)\s]+\)/.test(text)

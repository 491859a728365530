import { type MIMEType, TextDecoder } from 'node:util'
import { Parser } from 'htmlparser2'
import iconv from 'iconv-lite'

const MAX_CHARACTERS = 15_000
/** Elements whose content is not text of the page. */
const NOISE = new Set(
  'script style noscript template nav svg math canvas iframe object audio video select textarea button'.split(
    ' ',
  ),
)
/** Elements that do not start a new line. */
const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark meta q s samp small ' +
    'span strike strong sub sup time tt u var wbr'
  ).split(' '),
)
const HEAD_BYTES = 1024
const SLICE = 16_384
/** Parsing time grows with nesting depth. No honest page is nested this deep. */
const MAX_DEPTH = 1000

/**
 * Extracts the text of a page: up to 15,000 characters, one line per block, title and description first. Scripts,
 * styles, navigation and control characters are removed, and whitespace is collapsed.
 * @param type the media type of the page: text/plain, or HTML
 */
export function pageText(bytes: Buffer, type: MIMEType): string {
  const lines = new Lines()
  if (type.essence === 'text/plain') addPlain(lines, decode(bytes, type.params.get('charset')))
  else addHtml(lines, decode(bytes, type.params.get('charset') ?? metaCharset(bytes)), type)
  return lines.text()
}

/** A UTF-16 label in a meta tag must be wrong, because the tag was readable as ASCII (HTML standard, 13.2.3.2). */
function metaCharset(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, HEAD_BYTES)
  const label = /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1]
  return label?.replace(/^utf-16.*/i, 'utf-8')
}

/** Node's decoder turns the quotation marks and the euro sign of Windows-1252 into control characters. */
function decode(bytes: Buffer, label: string | null | undefined): string {
  const decoder = createDecoder(label ?? 'utf-8')
  return decoder.encoding === 'windows-1252' ? iconv.decode(bytes, 'win1252') : decoder.decode(bytes)
}

function createDecoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

function addPlain(lines: Lines, text: string): void {
  for (const line of text.split('\n')) {
    lines.add(line)
    lines.end()
  }
}

function addHtml(lines: Lines, html: string, type: MIMEType): void {
  let depth = 0
  /** The depth of the element whose content is being skipped; 0: none. */
  let noise = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        if (noise > 0) return
        if (NOISE.has(name) || 'hidden' in attributes) noise = depth
        else if (isDescription(name, attributes)) lines.addLine(attributes.content ?? '')
        if (!INLINE.has(name)) lines.end()
      },
      ontext(text) {
        if (noise === 0) lines.add(text)
      },
      onclosetag(name) {
        if (noise === depth) noise = 0
        depth--
        if (noise === 0 && !INLINE.has(name)) lines.end()
      },
    },
    { recognizeSelfClosing: type.essence === 'application/xhtml+xml' },
  )
  for (let start = 0; start < html.length && depth < MAX_DEPTH && !lines.isFull; start += SLICE)
    parser.write(html.slice(start, start + SLICE))
  parser.end()
}

const isDescription = (element: string, { name, property }: Record<string, string>): boolean =>
  element === 'meta' && /^(?:og:)?description$/i.test(name ?? property ?? '')

/** Collects lines of text. Drops empty lines and lines that repeat the previous one. */
class Lines {
  readonly #lines: string[] = []
  #line = ''
  #length = 0

  get isFull(): boolean {
    return this.#length >= MAX_CHARACTERS
  }

  add(text: string): void {
    this.#line += text
  }

  end(): void {
    const line = this.#line.replace(/[\s\p{Cc}]+/gu, ' ').trim()
    this.#line = ''
    if (!line || line === this.#lines.at(-1)) return
    this.#lines.push(line)
    this.#length += line.length + 1
  }

  addLine(text: string): void {
    this.end()
    this.add(text)
    this.end()
  }

  text(): string {
    this.end()
    const text = this.#lines.join('\n').toWellFormed()
    return text.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
  }
}

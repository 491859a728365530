import { isAscii, isUtf8 } from 'node:buffer'
import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { blocksOf } from '../blocks.ts'
import type { ReplayableFile } from '../replayable-file.ts'

/** What the bytes of a whole text file show. */
export interface ByteSurvey {
  bytes: number
  /** The start of the file. */
  start: Buffer
  isAscii: boolean
  isUtf8: boolean
  /** Bytes that are zero, at even and at odd positions. */
  zeros: { even: number; odd: number }
  /** Control characters that text does not have, zero left out. */
  controls: number
  /** Pieces of lines with bytes that are not ASCII, from all parts of the file. */
  sample: Buffer
  /** Not those of UTF-16. */
  escapedQuotes: EscapedQuotes
}

const START_BYTES = 256 * 1024
const SAMPLE_BYTES = 24 * 1024
/** What the first blocks may take, so that a small file is sampled whole. */
const FIRST_SAMPLE_BYTES = 8 * 1024
const BACKSLASH = 0x5c
const QUOTE = 0x22
const LINE_FEED = 0x0a

/** Reads the whole file once. */
export async function surveyBytes(file: ReplayableFile): Promise<ByteSurvey> {
  const survey = new Survey(file.size)
  for await (const block of blocksOf(file.read())) {
    survey.add(block)
    await yieldToEventLoop()
  }
  return survey.result()
}

class Survey {
  readonly #size: number
  readonly #starts: Buffer[] = []
  readonly #sample: Buffer[] = []
  #sampled = 0
  #bytes = 0
  #isAscii = true
  #isUtf8 = true
  /** The bytes of a character that the next block continues. */
  #open: Buffer = Buffer.alloc(0)
  readonly #zeros = { even: 0, odd: 0 }
  #controls = 0
  readonly #escapedQuotes: EscapedQuotes = { inside: 0, atEnd: 0 }

  constructor(size: number) {
    this.#size = size
  }

  add(block: Buffer): void {
    if (this.#bytes < START_BYTES) this.#starts.push(block)
    this.#countControls(block)
    countEscapedQuotes(block, this.#escapedQuotes)
    if (!isAscii(block) || this.#open.length > 0) this.#addOther(block)
    this.#bytes += block.length
  }

  result(): ByteSurvey {
    return {
      bytes: this.#bytes,
      start: Buffer.concat(this.#starts),
      isAscii: this.#isAscii,
      isUtf8: this.#isUtf8 && this.#open.length === 0,
      zeros: this.#zeros,
      controls: this.#controls,
      sample: Buffer.concat(this.#sample),
      escapedQuotes: this.#escapedQuotes,
    }
  }

  #addOther(block: Buffer): void {
    this.#isAscii = false
    if (this.#isUtf8) {
      const text = this.#open.length > 0 ? Buffer.concat([this.#open, block]) : block
      const end = text.length - openBytes(text)
      this.#isUtf8 = isUtf8(text.subarray(0, end))
      this.#open = text.subarray(end)
    }
    this.#takeSample(block)
  }

  /** A part of the file may give the same share of the sample. */
  #takeSample(block: Buffer): void {
    const share = (SAMPLE_BYTES * (this.#bytes + block.length)) / Math.max(this.#size, 1)
    const allowed = Math.min(SAMPLE_BYTES, Math.max(FIRST_SAMPLE_BYTES, share))
    // The block may start inside a character.
    let at = this.#bytes === 0 ? 0 : block.indexOf(LINE_FEED) + 1
    for (; at < block.length && this.#sampled < allowed; at++) {
      const lineEnd = block.indexOf(LINE_FEED, at)
      const line = block.subarray(at, lineEnd < 0 ? block.length : lineEnd)
      if (!isAscii(line)) this.#takePiece(line)
      at += line.length
    }
  }

  #takePiece(line: Buffer): void {
    const piece = line.subarray(0, pieceEnd(line))
    this.#sample.push(piece, Buffer.from('\n'))
    this.#sampled += piece.length + 1
  }

  #countControls(block: Buffer): void {
    for (let at = 0; at < block.length; at++) {
      const byte = block[at] as number
      if (byte >= 0x20 || byte === LINE_FEED) continue
      if (byte === 0) this.#zeros[(this.#bytes + at) % 2 === 0 ? 'even' : 'odd'] += 1
      else if (byte < 0x08 || (byte > 0x0d && byte !== 0x1a)) this.#controls += 1
    }
  }
}

/** Quotes behind a backslash: those before a letter, and those before the end of a cell. */
export interface EscapedQuotes {
  inside: number
  atEnd: number
}

/** Adds the escaped quotes in bytes of ASCII or UTF-8. */
export function countEscapedQuotes(block: Buffer, counts: EscapedQuotes): void {
  for (let at = block.indexOf(ESCAPED_QUOTE); at >= 0; at = block.indexOf(ESCAPED_QUOTE, at + 2)) {
    const isEscaped = at === 0 || block[at - 1] !== BACKSLASH
    const next = block[at + 2]
    // What two quotes behind a backslash mean depends on the dialect.
    if (!isEscaped || next === undefined || next === QUOTE) continue
    counts[CELL_ENDS.includes(next) ? 'atEnd' : 'inside'] += 1
  }
}

const CELL_ENDS = Buffer.from(',;\t|\r\n')
const ESCAPED_QUOTE = Buffer.from('\\"')
const MAX_PIECE_BYTES = 1024

/** Where a long line is cut, which is not inside a character: its last byte may be an ASCII letter, but no lower one. */
function pieceEnd(line: Buffer): number {
  if (line.length <= MAX_PIECE_BYTES) return line.length
  let end = MAX_PIECE_BYTES
  while (end > 0 && (line[end] as number) >= 0x30) end -= 1
  return end > 0 ? end : MAX_PIECE_BYTES
}

/** How many bytes at the end may begin a character of UTF-8. */
function openBytes(text: Buffer): number {
  for (let back = 1; back <= Math.min(3, text.length); back++) {
    const byte = text[text.length - back] as number
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0
  }
  return 0
}

const lengthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2)

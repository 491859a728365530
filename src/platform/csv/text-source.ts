import { yieldToEventLoop } from '#src/platform/event-loop.ts'
import { blocksOf } from './blocks.ts'
import { CellDecoder } from './cell-decoder.ts'
import { blockDecoder, type Encoding } from './encoding/encodings.ts'
import type { FileStart } from './file-start.ts'
import type { ReplayableFile } from './replayable-file.ts'

const START_LENGTH = 256 * 1024

/** The text of a file, which can be read any number of times. */
export class TextSource {
  readonly #file: ReplayableFile
  readonly #encoding: Encoding
  readonly #isByteText: boolean

  /** @param isValid whether all bytes are valid in the encoding */
  constructor(file: ReplayableFile, encoding: Encoding, isValid: boolean) {
    this.#file = file
    this.#encoding = encoding
    // The cells that are not UTF-8 are Windows-1252, which only their bytes tell.
    this.#isByteText = encoding.name === 'utf-8' && !isValid
  }

  /**
   * Decodes the cells of one reading.
   * @param isVerbatim whether nothing is repaired
   */
  cellDecoder(isVerbatim = false): CellDecoder {
    return new CellDecoder(this.#isByteText, isVerbatim)
  }

  /** The first part of the text. */
  async start(): Promise<FileStart> {
    const decoder = this.cellDecoder()
    const decode = (cells: string[]) => decoder.decode(cells)
    let text = ''
    for await (const block of this.blocks()) {
      text += block
      if (text.length >= START_LENGTH) return { text, isWhole: false, decode }
    }
    return { text, isWhole: true, decode }
  }

  /** The text in blocks, without a byte order mark. */
  async *blocks(): AsyncGenerator<string> {
    const decoder = this.#isByteText ? byteText() : blockDecoder(this.#encoding)
    for await (const block of blocksOf(this.#file.read())) {
      const text = decoder.write(block)
      if (text !== '') yield text
      await yieldToEventLoop()
    }
    const rest = decoder.end()
    if (rest !== '') yield rest
  }
}

const UTF8_MARK = '\xef\xbb\xbf'

/** One character (U+0000 to U+00FF) for each byte. */
function byteText() {
  let isStart = true
  const write = (block: Buffer) => {
    const text = block.toString('latin1')
    const isMarked = isStart && text.startsWith(UTF8_MARK)
    isStart = false
    return isMarked ? text.slice(UTF8_MARK.length) : text
  }
  return { write, end: () => '' }
}

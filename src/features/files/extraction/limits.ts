import type { Extraction } from './types.ts'

/** Characters of text in all. */
export const MAX_CHARACTERS = 400_000
/** Characters of a page. The words of a longer one may not fit into the index of PostgreSQL. */
export const MAX_PAGE_CHARACTERS = 100_000
export const MAX_PAGES = 2000
/** A file that states more pages than this is wrong about them. */
const MAX_STATED_PAGES = 1_000_000
/** Parts of a ZIP that are read, and their bytes when they are unpacked. */
export const MAX_ZIP_ENTRIES = 500
export const MAX_UNPACKED_BYTES = 50 * 1024 * 1024
/** How long reading may take before its thread is ended. */
export const TIMEOUT_MS = 10_000

/** The file has no text that can be read. The message is a sentence for users. */
export class NoText extends Error {
  readonly state: 'none' | 'encrypted' | 'unreadable'

  constructor(state: NoText['state'], message: string) {
    super(message)
    this.state = state
  }
}

export const DAMAGED = 'It cannot be read. It may be damaged, or not be what its name says.'

/** The text of a file, page by page, up to the limits. */
export class PageTexts {
  readonly #texts: string[] = []
  #length = 0
  #isCut = false

  /** Whether no more text fits. */
  get isFull(): boolean {
    return this.#length >= MAX_CHARACTERS || this.#texts.length >= MAX_PAGES
  }

  get count(): number {
    return this.#texts.length
  }

  /** Notes that there is more text than was added. */
  cut(): void {
    this.#isCut = true
  }

  /** Adds a page, or as much of it as fits. */
  add(text: string): void {
    const plain = plainText(text)
    const room = Math.min(MAX_PAGE_CHARACTERS, MAX_CHARACTERS - this.#length)
    const kept = plain.length > room ? plain.slice(0, room).toWellFormed() : plain
    if (kept.length < plain.length) this.#isCut = true
    this.#texts.push(kept)
    this.#length += kept.length
  }

  /**
   * @param total how many pages the file has; undefined for a text without pages
   * @param unit the word for a page
   */
  extraction(total: number | undefined, unit: string, details: Extraction['details'] = null): Extraction {
    const texts = this.#texts
    const isEmpty = texts.every((text) => text === '')
    const stated = total ?? texts.length
    return {
      text_state: isEmpty ? 'none' : 'done',
      text_detail: isEmpty ? 'It has no text.' : this.#leftOut(total, unit),
      pages: stated >= 0 && stated <= MAX_STATED_PAGES ? stated : null,
      texts: isEmpty ? [] : texts,
      details,
    }
  }

  #leftOut(total = 0, unit: string): string | null {
    const number = (count: number) => count.toLocaleString('en')
    if (this.#texts.length < total)
      return `Only the first ${number(this.#texts.length)} of its ${number(total)} ${unit}s can be searched.`
    if (!this.#isCut) return null
    return this.#length >= MAX_CHARACTERS
      ? `Only its first ${number(MAX_CHARACTERS)} characters can be searched.`
      : `Only the first ${number(MAX_PAGE_CHARACTERS)} characters of each ${unit} can be searched.`
  }
}

/** Without characters that a database cannot store or a screen does not show. */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\f\v]/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are left out
    .replace(/[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/g, '')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

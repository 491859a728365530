import { truncate } from './truncate.ts'

/** Removes the marks of Markdown within a line. */
export const plainText = (markdown: string): string =>
  markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(?<!\w)[*_](\S(?:[^*_]*\S)?)[*_](?!\w)/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

/** Longer lines and texts are cut before patterns read them, which bounds the time that these take. */
const MAX_LINE_LENGTH = 500
const READ_PER_SHOWN = 4

/** The beginning of a Markdown text as one line of plain text. */
export function excerptOf(markdown: string, length: number): string {
  const lines = markdown.slice(0, length * READ_PER_SHOWN).split(/\r?\n/)
  const plain = lines.flatMap((line) => {
    if (/^[\s:|-]*$/.test(line) || /^ {0,3}(?:```|~~~)/.test(line)) return []
    const text = line
      .slice(0, MAX_LINE_LENGTH)
      .replace(/^\s*(?:>\s*)*(?:#{1,6}\s+|[-*+]\s+|\d{1,9}[.)]\s+)?/, '')
    return plainText(text.replace(/^\||\|\s*$/g, '')) || []
  })
  return truncate(plain.join(' '), length)
}

/** A text as one line of Markdown that shows it as it is, wherever in a line it stands. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
    // Elsewhere in a line, these have no meaning.
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')

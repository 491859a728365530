import { plainText } from '#src/platform/markdown.ts'

/** A heading of a report, or an item of one of its lists or tables, as plain text. */
export type Block = { kind: 'heading'; level: number; text: string } | { kind: 'item'; text: string }

/** Longer reports are read up to here. */
const MAX_REPORT_LENGTH = 200_000
/** More than a criterion may have. It bounds the time that the patterns take. */
const MAX_LINE_LENGTH = 500

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$/
const ROW = /^ {0,3}\|(.+)\|[ \t]*$/
const DELIMITER_ROW = /^[\s:|-]+$/
const FENCE = /^ {0,3}(?:```|~~~)/
const CONTINUATION = /^[ \t]+\S/

/** The headings, list items and table rows of a Markdown text, in its order. */
export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let isFenced = false
  let isInItem = false
  let rows = 0
  for (const whole of markdown.slice(0, MAX_REPORT_LENGTH).split(/\r?\n/)) {
    const line = whole.slice(0, MAX_LINE_LENGTH)
    if (FENCE.test(line)) isFenced = !isFenced
    if (isFenced) continue
    const [, row] = ROW.exec(line) ?? []
    rows = row === undefined ? 0 : rows + 1
    const block = blockOf(line, row, rows)
    const last = blocks.at(-1)
    if (!block && isInItem && last && CONTINUATION.test(line)) last.text += ` ${plainText(line)}`
    else isInItem = block?.kind === 'item' && row === undefined
    if (block) blocks.push(block)
  }
  return blocks.filter(({ text }) => text !== '')
}

/** @param rows the number of rows of the table so far: the first has the names of the columns */
function blockOf(line: string, row: string | undefined, rows: number): Block | undefined {
  if (row !== undefined)
    return rows === 1 || DELIMITER_ROW.test(row) ? undefined : { kind: 'item', text: firstText(row) }
  const [, marks, heading] = HEADING.exec(line) ?? []
  if (marks && heading)
    return { kind: 'heading', level: marks.length, text: plainText(heading.replace(/ #+ *$/, '')) }
  const [, item] = ITEM.exec(line) ?? []
  return item ? { kind: 'item', text: plainText(item) } : undefined
}

/** The first cell of a row that has words. */
const firstText = (row: string): string =>
  plainText(row.split('|').find((cell) => /\p{L}{2}/u.test(cell)) ?? '')

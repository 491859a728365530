/** A text and what is selected in it. */
export interface Selected {
  value: string
  start: number
  end: number
}

/** Replaces a part of a text, and then selects a part of the result. */
export interface Edit {
  start: number
  end: number
  text: string
  select: [start: number, end: number]
}

const WEB_ADDRESS = /^https?:\/\/\S+$/i
const ADDRESS_PLACEHOLDER = 'https://'

/** Puts signs such as `**` around the selection, or removes them. */
export function wrap({ value, start, end }: Selected, sign: string): Edit {
  const { length } = sign
  const isWrapped =
    value.slice(start - length, start) === sign &&
    value.slice(end, end + length) === sign &&
    // One star of a pair is no sign of its own.
    (length > 1 || value[start - 2] !== sign || value[start - 3] === sign)
  const selected = value.slice(start, end)
  if (isWrapped)
    return {
      start: start - length,
      end: end + length,
      text: selected,
      select: [start - length, end - length],
    }
  return { start, end, text: sign + selected + sign, select: [start + length, end + length] }
}

/** Makes a link of the selection, and selects what is still to be typed. */
export function link({ value, start, end }: Selected): Edit {
  const selected = value.slice(start, end)
  if (WEB_ADDRESS.test(selected))
    return { start, end, text: `[](${selected})`, select: [start + 1, start + 1] }
  const from = end + '[]('.length
  return {
    ...{ start, end, text: `[${selected}](${ADDRESS_PLACEHOLDER})` },
    select: selected === '' ? [start + 1, start + 1] : [from, from + ADDRESS_PLACEHOLDER.length],
  }
}

/** Makes a link of the selection when a web address is pasted over it; otherwise, null. */
export function pasteOver({ value, start, end }: Selected, pasted: string): Edit | null {
  const selected = value.slice(start, end)
  if (selected.trim() === '' || WEB_ADDRESS.test(selected) || !WEB_ADDRESS.test(pasted.trim())) return null
  const text = `[${selected}](${pasted.trim()})`
  return { start, end, text, select: [start + text.length, start + text.length] }
}

const lineStart = (value: string, at: number): number => value.lastIndexOf('\n', at - 1) + 1
const lineEnd = (value: string, at: number): number => {
  const found = value.indexOf('\n', at)
  return found < 0 ? value.length : found
}

/** Makes list items of the selected lines, or plain lines of list items. */
export function toggleList({ value, start, end }: Selected): Edit {
  const from = lineStart(value, start)
  const to = lineEnd(value, Math.max(start, end - 1))
  const lines = value.slice(from, to).split('\n')
  const isList = lines.every((line) => /^\s*[-*+] /.test(line))
  const text = lines
    .map((line) => (isList ? line.replace(/^(\s*)[-*+] /, '$1') : line.replace(/^(\s*)/, '$1- ')))
    .join('\n')
  const after = from + text.length
  return { start: from, end: to, text, select: start === end ? [after, after] : [from, after] }
}

const ITEM = /^(?<indent>\s*(?:> ?)*)(?<sign>[-*+]|\d{1,9}[.)])(?<space>\s+)(?<box>\[[ xX]\]\s+)?(?<text>.*)$/
const QUOTE = /^(?<indent>\s*)(?<sign>(?:> ?)+)(?<text>.*)$/

/** Continues a list or a quotation on Enter, or ends it after an empty item; null outside of them. */
export function continueLine({ value, start, end }: Selected): Edit | null {
  const from = lineStart(value, start)
  const before = value.slice(from, start)
  const line = value.slice(from, lineEnd(value, start))
  const found = ITEM.exec(before) ?? QUOTE.exec(before)
  if (!found?.groups) return null
  const { indent = '', sign = '', space = '', box } = found.groups
  const prefix = before.slice(0, before.length - (found.groups.text ?? '').length)
  if (line.trim() === prefix.trim() && start === end)
    // Without an empty line, what follows would belong to the item before.
    return { start: from, end: lineEnd(value, start), text: '\n', select: [from + 1, from + 1] }
  const number = /^\d+/.exec(sign)
  const next = number ? String(Number(number[0]) + 1) + sign.slice(number[0].length) : sign
  const text = `\n${indent}${next}${space}${box ? '[ ] ' : ''}`
  return { start, end, text, select: [start + text.length, start + text.length] }
}

/** The beginning of a mention before the caret: `@`, and a word that a name may begin with. */
export function mentionBefore({ value, start, end }: Selected): { from: number; query: string } | null {
  const found =
    start === end && /(?:^|[\s(])@([^\s@]{0,40})$/u.exec(value.slice(Math.max(0, start - 50), start))
  return found ? { from: start - (found[1] ?? '').length - 1, query: found[1] ?? '' } : null
}

/** Makes an edit in a text field, so that Ctrl+Z undoes it. */
export function applyEdit(field: HTMLTextAreaElement, { start, end, text, select }: Edit): void {
  field.focus()
  field.setSelectionRange(start, end)
  const isDone = text === '' ? start === end || document.execCommand('delete') : insert(text)
  if (!isDone) {
    field.setRangeText(text, start, end, 'end')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  field.setSelectionRange(...select)
}

/** Only this command keeps the browser's list of changes to undo. */
const insert = (text: string): boolean => document.execCommand('insertText', false, text)

import { Parser } from 'htmlparser2'

const HTML =
  /<\/?(?:p|div|br|span|ul|ol|li|a|b|strong|i|em|u|h[1-6]|table|tr|td|blockquote|pre|html|body|font|img)\b[^<>]*>/i
const BLOCKS = new Set(
  'p div ul ol table tr blockquote pre section article header footer h1 h2 h3 h4 h5 h6 html body'.split(' '),
)
const HIDDEN = new Set(['script', 'style', 'head', 'title', 'template'])
const MARKS: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*', code: '`' }
const MAX_DEPTH = 200

/** The text of a note as Markdown. Text that is no HTML stays as it is. */
export function markdownOf(text: string): string {
  if (!HTML.test(text)) return text
  const parts: string[] = []
  const links: string[] = []
  const lists: ('ul' | number)[] = []
  let hidden = 0
  const parser = new Parser({
    onopentag: (name, { href, src, alt }) => {
      if (HIDDEN.has(name)) hidden += 1
      else if (name === 'br') parts.push('\n')
      else if (/^h[1-6]$/.test(name)) parts.push(`\n\n${'#'.repeat(Number(name[1]))} `)
      else if (name === 'ul' || name === 'ol') lists.push(name === 'ul' ? 'ul' : 0)
      else if (name === 'li') parts.push(itemStart(lists))
      else if (name === 'td' || name === 'th') parts.push(' ')
      else if (name === 'img' && src) parts.push(`[${alt || 'image'}](${src})`)
      else if (BLOCKS.has(name)) parts.push('\n\n')
      if (name === 'a') {
        links.push(href ?? '')
        if (isAddress(href)) parts.push('[')
      }
      parts.push(MARKS[name] ?? '')
    },
    ontext: (text) => {
      if (hidden === 0) parts.push(text.replace(/\s+/g, ' ').replaceAll('<', '\\<'))
    },
    onclosetag: (name) => {
      if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1)
      parts.push(MARKS[name] ?? '')
      if (name === 'a') {
        const href = links.pop()
        if (isAddress(href)) parts.push(`](${href})`)
      }
      if (name === 'ul' || name === 'ol') lists.pop()
      if (BLOCKS.has(name)) parts.push('\n\n')
    },
  })
  parser.end(text)
  return parts
    .join('')
    .replace(/[^\S\n]+\n/g, '\n')
    .replace(/\n[^\S\n]+(?![-\d\s])/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\*{4}/g, '')
    .trim()
}

/** Only these addresses are links. */
const isAddress = (href: string | undefined): href is string =>
  /^(?:https?:|mailto:)[^\s()<>]+$/i.test(href ?? '')

function itemStart(lists: ('ul' | number)[]): string {
  const depth = Math.min(lists.length, MAX_DEPTH)
  const list = lists[depth - 1]
  const indent = '  '.repeat(Math.max(0, depth - 1))
  if (typeof list !== 'number') return `\n${indent}- `
  lists[depth - 1] = list + 1
  return `\n${indent}${list + 1}. `
}

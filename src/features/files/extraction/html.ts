import { Parser } from 'htmlparser2'
import { decodeFile, pagesOfText } from './plain-text.ts'
import type { Extraction } from './types.ts'

const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'svg', 'math', 'iframe', 'object'])
const INLINE = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** Reads a web page that was saved: its text, without scripts and styles. */
export const readHtml = async (path: string): Promise<Extraction> =>
  pagesOfText(htmlText(await decodeFile(path)))

/** The text of HTML. Nothing in it runs, and nothing is fetched. */
export function htmlText(html: string): string {
  const parts: string[] = []
  let hidden = 0
  const parser = new Parser({
    onopentag: (tag) => {
      if (HIDDEN.has(tag)) hidden += 1
      else if (tag === 'td' || tag === 'th') parts.push(' ')
      else if (!INLINE.has(tag)) parts.push('\n')
    },
    ontext: (text) => {
      if (hidden === 0) parts.push(text.replace(/\s+/g, ' '))
    },
    onclosetag: (tag) => {
      if (HIDDEN.has(tag)) hidden -= 1
      else if (!INLINE.has(tag) && tag !== 'td' && tag !== 'th') parts.push('\n')
    },
  })
  parser.end(html)
  return parts.join('')
}

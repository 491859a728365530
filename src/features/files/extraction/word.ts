import { DAMAGED, NoText, PageTexts } from './limits.ts'
import type { Extraction } from './types.ts'
import { readXml } from './xml.ts'
import { Archive } from './zip.ts'

const DOCUMENT = /^word\/document\d*\.xml$/
/** Read after the document, to its last page. */
const NOTES = ['word/footnotes.xml', 'word/endnotes.xml', 'word/comments.xml']

/** Where Word began a page when the document was saved, and where an author began one. */
const RENDERED_BREAK = '\ue000'
const AUTHORS_BREAK = '\ue001'

/** Reads a Word document (DOCX), with the pages that Word had when it saved it. Deleted text is left out. */
export async function readWord(path: string): Promise<Extraction> {
  const archive = await Archive.open(path)
  const document = archive.names.find((name) => DOCUMENT.test(name))
  if (document === undefined) throw new NoText('unreadable', DAMAGED)
  const parts: string[] = []
  for (const name of [document, ...NOTES]) await readPart(archive, name, parts)
  const text = parts.join('')
  const mark = text.includes(RENDERED_BREAK) ? RENDERED_BREAK : AUTHORS_BREAK
  const pages = text.split(mark)
  const texts = new PageTexts()
  for (const page of pages) {
    if (texts.isFull) break
    texts.add(page.replaceAll(RENDERED_BREAK, '').replaceAll(AUTHORS_BREAK, ''))
  }
  return texts.extraction(pages.length, 'page')
}

const SPACES: Record<string, string> = {
  tab: '\t',
  cr: '\n',
  noBreakHyphen: '-',
  lastRenderedPageBreak: RENDERED_BREAK,
}

async function readPart(archive: Archive, name: string, parts: string[]): Promise<void> {
  let isText = false
  /** What older programs show instead repeats the text. */
  let fallbacks = 0
  await readXml(archive, name, {
    open: (tag, attributes) => {
      if (tag === 'Fallback') fallbacks += 1
      isText = tag === 't' && fallbacks === 0
      const space = tag === 'br' ? (attributes['w:type'] === 'page' ? AUTHORS_BREAK : '\n') : SPACES[tag]
      if (space && fallbacks === 0) parts.push(space)
    },
    text: (text) => {
      if (isText) parts.push(text)
    },
    close: (tag) => {
      if (tag === 'Fallback') fallbacks -= 1
      isText = false
      if (tag === 'p' && fallbacks === 0) parts.push('\n')
    },
  })
}

import path from 'node:path/posix'
import { DAMAGED, NoText, PageTexts } from './limits.ts'
import type { Extraction } from './types.ts'
import { readXml } from './xml.ts'
import { Archive } from './zip.ts'

const PRESENTATION = 'ppt/presentation.xml'

/** Reads a presentation (PPTX): each slide with its notes, in the order in which they are shown. */
export async function readPresentation(file: string): Promise<Extraction> {
  const archive = await Archive.open(file)
  if (!archive.has(PRESENTATION)) throw new NoText('unreadable', DAMAGED)
  const slides = await slidesOf(archive)
  const texts = new PageTexts()
  for (const slide of slides) {
    if (texts.isFull) break
    const [notes] = await partsOf(archive, slide, 'notesSlide')
    const parts = [await textOf(archive, slide), notes ? await textOf(archive, notes) : '']
    texts.add(parts.join('\n'))
  }
  return texts.extraction(slides.length, 'slide')
}

/** The slides by their place in the presentation, which their names do not tell. */
async function slidesOf(archive: Archive): Promise<string[]> {
  const targets = await relationsOf(archive, PRESENTATION, 'slide')
  const slides: string[] = []
  await readXml(archive, PRESENTATION, {
    open: (tag, attributes) => {
      const target = tag === 'sldId' ? targets.get(attributes['r:id'] ?? '') : undefined
      if (target) slides.push(target)
    },
  })
  return slides
}

const partsOf = async (archive: Archive, part: string, kind: string): Promise<string[]> => [
  ...(await relationsOf(archive, part, kind)).values(),
]

/** The parts of a kind that a part refers to, by id. What is outside of the archive is left out. */
async function relationsOf(archive: Archive, part: string, kind: string): Promise<Map<string, string>> {
  const folder = path.dirname(part)
  const relations = new Map<string, string>()
  await readXml(archive, `${folder}/_rels/${path.basename(part)}.rels`, {
    open: (tag, { Id, Type, Target, TargetMode }) => {
      if (tag !== 'Relationship' || !Id || !Target || TargetMode === 'External') return
      if (!Type?.endsWith(`/${kind}`)) return
      const name = Target.startsWith('/') ? Target.slice(1) : path.join(folder, Target)
      if (archive.has(name)) relations.set(Id, name)
    },
  })
  return relations
}

async function textOf(archive: Archive, part: string): Promise<string> {
  const parts: string[] = []
  let isText = false
  /** Fields are numbers of slides and dates. */
  let fields = 0
  await readXml(archive, part, {
    open: (tag) => {
      if (tag === 'fld') fields += 1
      isText = tag === 't' && fields === 0
      if (tag === 'br') parts.push('\n')
    },
    text: (text) => {
      if (isText) parts.push(text)
    },
    close: (tag) => {
      if (tag === 'fld') fields -= 1
      isText = false
      if (tag === 'p') parts.push('\n')
    },
  })
  return parts.join('')
}

import { type Criterion, MAX_CRITERIA, MAX_CRITERION_LENGTH } from '#src/features/theses/index.ts'
import { truncate } from '#src/platform/truncate.ts'
import { type Block, readBlocks } from './report-blocks.ts'

/** The parts of a thesis that criteria are taken from. */
export interface ThesisTexts {
  title: string
  summary: string | null
  report_markdown: string | null
}

const TITLE_WEIGHT = 3
const ITEM_WEIGHT = 1
/** For lists of sections that are not about criteria. */
const OTHER_ITEM_WEIGHT = 0.5
const MIN_LETTERS = 3

type Topic = 'must' | 'wanted' | 'unwanted' | 'skipped' | 'other'

/** What a section is about, by its heading. The first match decides. */
const TOPICS: [Exclude<Topic, 'other'>, RegExp][] = [
  [
    'unwanted',
    /\b(?:avoid|exclu\w*|out of scope|red flags?|deal[- ]?breakers?|no[- ]gos?|anti-\w+|not a fit|(?:do not|don['’]t|not|never) (?:invest|want|look|fund|back|like))\b/i,
  ],
  ['must', /\b(?:musts?|must[- ]haves?|required|requirements?|non-negotiables?|conditions?)\b/i],
  [
    'wanted',
    /\b(?:look(?:ing)? for|criteria|criterion|ideal|target|wanted|we want|we like|sweet spot|nice to have|profile|what wins|fit)\b/i,
  ],
  [
    'skipped',
    /\b(?:why|risks?|go(?:es)? wrong|questions?|next steps?|sources?|references?|appendix|team|timeline|disclaimer|background|summary|valuation|exits?|returns?)\b/i,
  ],
]

const topicOf = (heading: string): Topic =>
  TOPICS.find(([, pattern]) => pattern.test(heading))?.[0] ?? 'other'

/**
 * The criteria that a thesis states: its title, and the lists and tables of its report. Headings say which are required,
 * wanted or unwanted, and which lists are about something else. If the report has none, the sentences of the summary.
 */
export function deriveCriteria({ title, summary, report_markdown }: ThesisTexts): Criterion[] {
  const stated = readCriteria(readBlocks(report_markdown ?? ''))
  const others =
    stated.length > 0 ? stated : sentencesOf(summary ?? '').map((text) => criterion(text, ITEM_WEIGHT))
  const all = [criterion(title, TITLE_WEIGHT), ...others]
  const distinct = new Map<string, Criterion>()
  for (const found of all) {
    const key = found.text.toLowerCase()
    if (!distinct.has(key)) distinct.set(key, found)
  }
  return [...distinct.values()].slice(0, MAX_CRITERIA)
}

const criterion = (text: string, weight: number, options: Partial<Criterion> = {}): Criterion => ({
  text: shorten(text),
  weight,
  kind: 'nice',
  negative: false,
  ...options,
})

/** Ends after a word. */
function shorten(text: string): string {
  const clean = text.trim()
  const shortened = truncate(clean, MAX_CRITERION_LENGTH)
  return shortened === clean ? clean : shortened.replace(/\s+\S*…$/, '…')
}

interface Section {
  level: number
  topic: Topic
}

/** The criteria of a report, in its order. A heading below one about criteria is one itself, unless a list follows. */
function readCriteria(blocks: Block[]): Criterion[] {
  const sections: Section[] = []
  const found: Criterion[] = []
  for (const [n, block] of blocks.entries()) {
    if (block.kind === 'item') {
      const made = criterionOf(block.text, sections.at(-1)?.topic ?? 'other')
      if (made) found.push(made)
      continue
    }
    while ((sections.at(-1)?.level ?? 0) >= block.level) sections.pop()
    const parent = sections.at(-1)?.topic ?? 'other'
    const own = topicOf(block.text)
    const isCriterion = own === 'other' && !['other', 'skipped'].includes(parent)
    if (isCriterion && blocks[n + 1]?.kind !== 'item') {
      const made = criterionOf(block.text, parent)
      if (made) found.push(made)
    }
    sections.push({ level: block.level, topic: own === 'other' ? parent : own })
  }
  return found
}

function criterionOf(text: string, topic: Topic): Criterion | undefined {
  if (topic === 'skipped' || (text.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS) return undefined
  if (topic === 'other') return criterion(text, OTHER_ITEM_WEIGHT)
  return criterion(text, ITEM_WEIGHT, {
    kind: topic === 'must' ? 'must' : 'nice',
    negative: topic === 'unwanted',
  })
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentences of a text, without the space around them. */
export const sentencesOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment.trim()).filter((sentence) =>
    /\p{L}/u.test(sentence),
  )

import type { CompanyRecord, ThesisText } from '#src/client/client.ts'
import { wordsOf } from '#src/platform/lexical.ts'
import { recordLines } from './material.ts'
import { ruleReason } from './score-sentences.ts'
import type { Judgment, Subject } from './scoring-prompt.ts'

/** Words that count in favor of a company, by criterion. */
const KEYWORDS: Record<string, RegExp> = {
  market:
    /\b(?:markets?|industr(?:y|ies)|global(?:ly)?|demand|shortage|regulations?|growing|fast-growing|billions?|millions?|worldwide)\b/giu,
  product:
    /\b(?:platforms?|software|apps?|APIs?|robots?|devices?|sensors?|systems?|tools?|machines?|hardware|patent(?:s|ed)?|AI|models?|engines?|automat(?:es|ed|ion|ic))\b/giu,
  traction:
    /\b(?:customers?|clients?|users?|revenues?|growth|profitable|contracts?|pilots?|deployed|live in|partners?)\b/giu,
  team: /\b(?:founders?|founded by|team|experienced?|previously|former(?:ly)?|engineers?|PhDs?|alumni)\b/giu,
  business_model:
    /\b(?:subscriptions?|SaaS|marketplace|licen[cs]es?|fees?|per month|rent(?:s|al)?|leases?|B2B|B2C|enterprises?|as a service|sells?)\b/giu,
}
const BASE_SCORE = 25
const POINTS_PER_KEYWORD = 12
const MAX_EVIDENCE = 3

interface Finding {
  score: number
  /** What the figures of the record say, to follow "The company". */
  facts: string[]
  /** Lines of the record. */
  evidence: string[]
}

/** Scores a company by the keywords and figures in its record. The same record always gets the same score. */
export function judgeByRules({ record, thesis, rubric }: Subject): Judgment[] {
  return rubric.map(({ name }) => {
    const { score, facts, evidence } =
      name === 'thesis_fit' ? thesisFit(record, thesis) : scoreByKeywords(name, record)
    return {
      name,
      score: Math.max(0, Math.min(100, Math.round(score))),
      reason: ruleReason(facts, evidence.slice(facts.length)),
      evidence,
    }
  })
}

function scoreByKeywords(criterion: string, record: CompanyRecord): Finding {
  const words = findKeywords(criterion, record.activity_description ?? '')
  const figures = scoreFigures(criterion, record)
  return {
    score: BASE_SCORE + POINTS_PER_KEYWORD * words.length + figures.score,
    facts: figures.facts,
    evidence: [...figures.evidence, ...words].slice(0, MAX_EVIDENCE),
  }
}

/** The distinct keywords in the description, each with its context. */
function findKeywords(criterion: string, text: string): string[] {
  const found = new Map<string, string>()
  for (const { 0: word, index } of text.matchAll(KEYWORDS[criterion] ?? /$^/gu))
    if (!found.has(word.toLowerCase())) found.set(word.toLowerCase(), withContext(text, index, word.length))
  return [...found.values()]
}

/** A word with up to two words before and after it in the same sentence. */
function withContext(text: string, start: number, length: number): string {
  const before = /(?:[^\s.!?]+\s+){0,2}$/u.exec(text.slice(0, start))?.[0] ?? ''
  const after = /^(?:\s+[^\s.!?]+){0,2}/u.exec(text.slice(start + length))?.[0] ?? ''
  return `${before}${text.slice(start, start + length)}${after}`
}

function scoreFigures(criterion: string, record: CompanyRecord): Finding {
  const { employee_count, revenue_eur, executives, industry_category } = record
  if (criterion === 'market' && industry_category)
    return {
      score: 10,
      facts: [`works in ${industry_category}`],
      evidence: [`industry_category: ${industry_category}`],
    }
  if (criterion === 'team' && executives?.length)
    return {
      score: 12 * executives.length,
      facts: [executives.length === 1 ? 'names an executive' : 'names its executives'],
      evidence: recordLines({ executives }).slice(0, 1),
    }
  if (criterion !== 'traction') return { score: 0, facts: [], evidence: [] }
  return {
    score:
      12 * Math.log10(1 + (employee_count ?? 0)) + 5 * Math.max(0, Math.log10(1 + (revenue_eur ?? 0)) - 4),
    facts: [
      ...(employee_count ? [`has ${employees(employee_count)}`] : []),
      ...(revenue_eur ? [`earns ${revenue_eur.toLocaleString('en')} euros a year`] : []),
    ],
    evidence: [
      ...(employee_count ? [`employee_count: ${employee_count}`] : []),
      ...(revenue_eur ? [`revenue_eur: ${revenue_eur}`] : []),
    ],
  }
}

/** Scores the share of the record's words that also occur in the thesis. */
function thesisFit(record: CompanyRecord, thesis: ThesisText | null): Finding {
  const { title, summary, report_markdown } = thesis ?? {}
  const wanted = new Set(
    wordsOf([title, summary, report_markdown].join('\n')).map(({ dimension }) => dimension),
  )
  const text = [record.industry_category, record.activity_description].filter(Boolean).join('\n')
  const words = new Map(wordsOf(text).map((word) => [word.dimension, word.text]))
  const shared = [...words].filter(([dimension]) => wanted.has(dimension)).map(([, word]) => word)
  const evidence = longestWords(shared).map((word) => withContext(text, text.indexOf(word), word.length))
  return { score: words.size === 0 ? 0 : (180 * shared.length) / words.size, facts: [], evidence }
}

const employees = (count: number): string =>
  count === 1 ? 'one employee' : `${count.toLocaleString('en')} employees`

const longestWords = (words: string[]): string[] =>
  words.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MAX_EVIDENCE)

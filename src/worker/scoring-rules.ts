import type { CompanyRecord, ThesisText } from '#src/client/client.ts'
import { wordsOf } from '#src/platform/models/lexical.ts'
import { linesOf } from './material.ts'
import type { Judgement, Subject } from './scoring-prompt.ts'

/** Words that speak for a company, by criterion. */
const TELLING: Record<string, RegExp> = {
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
const BASE = 25
const A_WORD = 12
const MAX_EVIDENCE = 3

interface Finding {
  score: number
  evidence: string[]
}

/** Judges a company by the words and figures of its record: the same record always scores the same. */
export function judgeByRules({ record, thesis, rubric }: Subject): Judgement[] {
  return rubric.map(({ name }) => {
    const { score, evidence } = name === 'thesis_fit' ? thesisFit(record, thesis) : byRecord(name, record)
    return {
      name,
      score: Math.max(0, Math.min(100, Math.round(score))),
      reason:
        evidence.length > 0
          ? `By rule, for ${evidence.map((words) => `"${words}"`).join(', ')}.`
          : 'By rule; the record says nothing of it.',
      evidence,
    }
  })
}

function byRecord(criterion: string, record: CompanyRecord): Finding {
  const words = wordsFor(criterion, record.activity_description ?? '')
  const figures = figuresFor(criterion, record)
  return {
    score: BASE + A_WORD * words.length + figures.score,
    evidence: [...figures.evidence, ...words].slice(0, MAX_EVIDENCE),
  }
}

/** The different words of the description that speak for the company. */
function wordsFor(criterion: string, text: string): string[] {
  const found = new Map<string, string>()
  for (const { 0: word, index } of text.matchAll(TELLING[criterion] ?? /$^/gu))
    if (!found.has(word.toLowerCase())) found.set(word.toLowerCase(), around(text, index, word.length))
  return [...found.values()]
}

/** A word with the two before and after it, as far as its sentence goes. */
function around(text: string, start: number, length: number): string {
  const before = /(?:[^\s.!?]+\s+){0,2}$/u.exec(text.slice(0, start))?.[0] ?? ''
  const after = /^(?:\s+[^\s.!?]+){0,2}/u.exec(text.slice(start + length))?.[0] ?? ''
  return `${before}${text.slice(start, start + length)}${after}`
}

function figuresFor(criterion: string, record: CompanyRecord): Finding {
  const { employee_count, revenue_eur, executives, industry_category } = record
  if (criterion === 'market' && industry_category)
    return { score: 10, evidence: [`industry_category: ${industry_category}`] }
  if (criterion === 'team' && executives?.length)
    return { score: 12 * executives.length, evidence: linesOf({ executives }).slice(0, 1) }
  if (criterion !== 'traction') return { score: 0, evidence: [] }
  return {
    score:
      12 * Math.log10(1 + (employee_count ?? 0)) + 5 * Math.max(0, Math.log10(1 + (revenue_eur ?? 0)) - 4),
    evidence: [
      ...(employee_count ? [`employee_count: ${employee_count}`] : []),
      ...(revenue_eur ? [`revenue_eur: ${revenue_eur}`] : []),
    ],
  }
}

/** The share of the record's words that the thesis has too. */
function thesisFit(record: CompanyRecord, thesis: ThesisText | null): Finding {
  const { title, summary, report_markdown } = thesis ?? {}
  const wanted = new Set(
    wordsOf([title, summary, report_markdown].join('\n')).map(({ dimension }) => dimension),
  )
  const text = [record.industry_category, record.activity_description].filter(Boolean).join('\n')
  const words = new Map(wordsOf(text).map((word) => [word.dimension, word.text]))
  const shared = [...words].filter(([dimension]) => wanted.has(dimension)).map(([, word]) => word)
  const evidence = longest(shared).map((word) => around(text, text.indexOf(word), word.length))
  return { score: words.size === 0 ? 0 : (180 * shared.length) / words.size, evidence }
}

const longest = (words: string[]): string[] =>
  words.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MAX_EVIDENCE)

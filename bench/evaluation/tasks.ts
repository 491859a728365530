import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { newId } from '#src/platform/ids.ts'
import { INVENTED_COMPANIES } from './invented-companies.ts'

export interface EvaluatedCompany {
  id: string
  name: string
  description: string
}

/** Questions, each with the one company that answers it. */
export interface Task {
  name: string
  companies: EvaluatedCompany[]
  questions: { q: string; answer: string }[]
}

const MAX_DESCRIPTION_LENGTH = 20_000

/**
 * Find a company by its pitch. The companies have neither their names nor their pitches.
 * @param file a CSV file with the columns name, one_liner and description
 */
export function readPitches(file: string): Task {
  const rows: Record<string, string>[] = parse(readFileSync(file), { columns: true, bom: true })
  const without = (text: string, ...parts: string[]) =>
    parts.filter(Boolean).reduce((left, part) => left.split(part).join(' '), text)
  const cases = rows
    .map(({ name = '', one_liner = '', description = '' }) => ({
      pitch: without(one_liner, name).trim(),
      company: {
        id: newId('cmp'),
        name: '-',
        description: without(description, one_liner, name).trim().slice(0, MAX_DESCRIPTION_LENGTH),
      },
    }))
    .filter(({ pitch, company }) => /\w/.test(pitch) && /\w/.test(company.description))
  return {
    name: `${cases.length} pitches (companies of ${file})`,
    companies: cases.map(({ company }) => company),
    questions: cases.map(({ pitch, company }) => ({ q: pitch, answer: company.id })),
  }
}

/** Find invented companies by questions that share no word with them. */
export function otherWords(): Task {
  const companies = INVENTED_COMPANIES.map((company) => ({ id: newId('cmp'), ...company }))
  const questions = companies.flatMap(({ id, question }) => (question ? [{ q: question, answer: id }] : []))
  return {
    name: `${questions.length} questions that share no word with the answer (invented companies)`,
    companies,
    questions,
  }
}

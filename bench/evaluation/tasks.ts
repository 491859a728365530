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
  const without = (text: string, ...parts: string[]) =>
    parts.filter(Boolean).reduce((left, part) => left.split(part).join(' '), text)
  const cases = readRows(file)
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

const readRows = (file: string): Record<string, string>[] =>
  parse(readFileSync(file), { columns: true, bom: true })

const readCompanies = (file: string): EvaluatedCompany[] =>
  readRows(file).map(({ name = '', one_liner = '', description = '' }) => ({
    id: newId('cmp'),
    name: name || '-',
    description: [one_liner, description].join('\n').slice(0, MAX_DESCRIPTION_LENGTH),
  }))

/**
 * Find invented companies by questions that share no word with them.
 * @param file a CSV file with the columns name, one_liner and description. The invented companies stand among these, which
 *   share words with the questions.
 */
export function otherWords(file?: string): Task {
  const invented = INVENTED_COMPANIES.map((company) => ({ id: newId('cmp'), ...company }))
  const others = file === undefined ? [] : readCompanies(file)
  const companies = [...invented, ...others]
  const questions = invented.flatMap(({ id, question }) => (question ? [{ q: question, answer: id }] : []))
  return {
    name: `${questions.length} questions that share no word with the answer (${file === undefined ? 'invented companies' : `among companies of ${file}`})`,
    companies,
    questions,
  }
}

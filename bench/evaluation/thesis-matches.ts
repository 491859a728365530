import { fileURLToPath } from 'node:url'
import { demoCompanies } from '#src/cli/demo/companies.ts'
import { readTheses } from '#src/cli/import-theses.ts'
import { newCompany } from '#src/features/companies/company-row.ts'
import { type MatchedThesis, rankMatches } from '#src/features/matches/rank.ts'
import type { Indexes } from '#src/features/search/semantic.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { newId } from '#src/platform/ids.ts'
import { bm25 } from './bm25.ts'
import { estimate, formatEstimate } from './figures.ts'
import { fill } from './fill.ts'
import { isJudgedFit } from './judged-matches.ts'

const THESES = fileURLToPath(new URL('../../src/cli/demo/theses', import.meta.url))
const FIRST = 20

interface JudgedThesis extends MatchedThesis {
  fitting: Set<string>
}

/** Prints how well each mode ranks the demo's companies for its theses, against judgments. */
export async function evaluateMatches(
  db: Db,
  indexes: Indexes,
  embedder: Embedder | undefined,
): Promise<void> {
  const companies = demoCompanies().map(
    ({ name, activity_description, industry_category, hq_city, country }) =>
      newCompany(newId('cmp'), { name, activity_description, industry_category, hq_city, country }),
  )
  await fill(db, companies, indexes, embedder)
  const theses = (await readTheses(THESES)).map(
    ({ code, title, summary, report_markdown }): JudgedThesis => ({
      id: code,
      title,
      summary: summary ?? null,
      report_markdown,
      criteria: null,
      fitting: new Set(
        companies
          .filter(({ activity_description }) => isJudgedFit(code, activity_description ?? ''))
          .map(({ id }) => id),
      ),
    }),
  )
  console.log(
    `\nMatches of ${theses.length} theses (the demo's companies); ${companies.length} companies\n\n` +
      `| ranking | precision@${FIRST} | R-precision |\n|---|---:|---:|`,
  )
  const print = async (name: string, rank: (thesis: JudgedThesis) => Promise<string[]>) => {
    const [precision, recall]: [number[], number[]] = [[], []]
    for (const thesis of theses) {
      const ranked = await rank(thesis)
      for (let position = 0; position < FIRST; position++)
        precision.push(thesis.fitting.has(ranked[position] ?? '') ? 1 : 0)
      const first = new Set(ranked.slice(0, thesis.fitting.size))
      for (const id of thesis.fitting) recall.push(first.has(id) ? 1 : 0)
    }
    console.log(`| ${name} | ${formatEstimate(estimate(precision))} | ${formatEstimate(estimate(recall))} |`)
  }
  const documents = companies.map(({ id, name, activity_description }) => ({
    id,
    name,
    description: activity_description ?? '',
  }))
  const baseline = bm25(documents, companies.length)
  await print('BM25 in memory', ({ title, summary, report_markdown }) =>
    baseline([title, summary, report_markdown].join('\n')),
  )
  const matches = (used: Indexes) => async (thesis: JudgedThesis) =>
    (await rankMatches(db, used, thesis, {})).ranked.map(({ id }) => id)
  await print('words', matches({ ...indexes, vectors: undefined }))
  if (indexes.vectors) await print('auto', matches(indexes))
}

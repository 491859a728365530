/**
 * `npm run bench:matches [-- --companies 20000]` measures the matches of a thesis and a search, without HTTP and with
 * random vectors of the built-in model's length. It uses the database of DATABASE_URL, which must be empty or come from an
 * earlier run, and adds the companies it lacks; without the setting, an embedded one in memory.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { type MatchedThesis, rankMatches } from '#src/features/matches/rank.ts'
import { readMatches } from '#src/features/matches/results.ts'
import type { MatchQuery } from '#src/features/matches/schema.ts'
import { type Indexes, searchCompanies } from '#src/features/search/semantic.ts'
import { openDatabase, openPglite } from '#src/platform/database/open.ts'
import { companyOf } from './companies.ts'
import { fillIndexed, randomVector } from './indexed-companies.ts'
import { quantile } from './quantile.ts'

const RUNS = 60
const WARM_UP_RUNS = 5
const CRITERIA = 12

const { values } = parseArgs({ options: { companies: { type: 'string', default: '20000' } } })
const companies = Number(values.companies)
const databaseUrl = process.env.DATABASE_URL

const { db, background, close } = databaseUrl
  ? await openDatabase({ databaseUrl, dataFolder: '' })
  : await openPglite(undefined)
const { models, lexicalIndex } = await fillIndexed(db, background, companies, {
  name: 'bench',
  dimensions: undefined,
})

const indexes: Indexes = {
  lexicalIndex,
  vectors: {
    models,
    embedQuestions: async (_model, questions) => questions.map(() => JSON.stringify(randomVector())),
    fault: () => null,
    weight: 0.4,
    minCosine: 0.3,
    embeddedShare: async () => 1,
    isOptional: true,
  },
}
const byWords: Indexes = { lexicalIndex, vectors: undefined }
const wordsOf = (n: number, count: number) =>
  companyOf(n % companies)
    .activity_description.split(' ')
    .slice(0, count)
    .join(' ')
const thesisOf = (run: number): MatchedThesis => ({
  id: 'th_bench',
  title: wordsOf(run * 31, 5),
  summary: wordsOf(run * 37, 20),
  report_markdown: null,
  criteria: Array.from({ length: CRITERIA }, (_value, n) => ({
    text: wordsOf(run * 41 + n * 1009, 6),
    weight: 1,
    kind: n < 2 ? 'must' : 'nice',
    negative: n === CRITERIA - 1,
  })),
})

async function matches(used: Indexes, run: number, query: MatchQuery = {}): Promise<void> {
  const ranking = await rankMatches(db, used, thesisOf(run), query)
  await readMatches(db, ranking, ranking.ranked.slice(0, 20), { thesis_id: 'th_bench', seenAt: null })
}

async function report(name: string, work: (run: number) => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let run = 0; run < RUNS + WARM_UP_RUNS; run++) {
    const start = performance.now()
    await work(run)
    if (run >= WARM_UP_RUNS) times.push(performance.now() - start)
  }
  const at = (share: number) => quantile(times, share).toFixed(1)
  console.log(`| ${name} | ${at(0.5)} | ${at(0.95)} |`)
}

console.log('| | p50 ms | p95 ms |\n|---|---:|---:|')
await report(`matches of a thesis with ${CRITERIA} criteria`, (run) => matches(indexes, run))
await report('without companies in the pipeline', (run) =>
  matches(indexes, run, { exclude_in_pipeline: true, verdict: 'none' }),
)
await report('matches, words alone', (run) => matches(byWords, run))
await report('search by words and vectors', (run) =>
  searchCompanies(db, indexes, { q: wordsOf(run * 53, 8), limit: 20 }),
)
await close()

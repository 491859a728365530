/**
 * `npm run bench:matches [-- --companies 20000]` measures the matches of a thesis and a search, without HTTP and with
 * random vectors of the built-in model's length. It uses the database of DATABASE_URL, which must be empty or come from an
 * earlier run, and adds the companies it lacks; without the setting, an embedded one in memory.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { insertCompanies, newCompany } from '#src/features/companies/store.ts'
import { type MatchedThesis, rankMatches } from '#src/features/matches/rank.ts'
import { readMatches } from '#src/features/matches/results.ts'
import type { MatchQuery } from '#src/features/matches/schema.ts'
import { embeddingText, TEXT_VERSION } from '#src/features/search/embedding-text.ts'
import { type Indexes, searchCompanies } from '#src/features/search/semantic.ts'
import { EmbeddingModels } from '#src/features/search/vectors/embedding-models.ts'
import { storeVectors } from '#src/features/search/vectors/vectors.ts'
import { enqueueAllVectors } from '#src/features/search/words/index-changed.ts'
import { LexicalIndex } from '#src/features/search/words/lexical-index.ts'
import { migrations } from '#src/migrations/migrations.ts'
import type { Db } from '#src/platform/database/database.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openDatabase, openPglite } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'
import { documentWeights } from '#src/platform/models/lexical.ts'
import { companyOf } from './companies.ts'

const LENGTH = 512
const BATCH_SIZE = 500
const CLUSTERS = 1000
const RUNS = 60
const WARM_UP_RUNS = 5
const CRITERIA = 12

const { values } = parseArgs({ options: { companies: { type: 'string', default: '20000' } } })
const companies = Number(values.companies)
const databaseUrl = process.env.DATABASE_URL

const next = createRandom(11)
const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
const around = (center: number[], spread: number) => center.map((number) => number + spread * normal())
const centers = Array.from({ length: CLUSTERS }, () => around(new Array(LENGTH).fill(0), 1))
const someVector = () => around(centers[Math.floor(next() * CLUSTERS)] as number[], 0.7)

const { db, background, close } = databaseUrl
  ? await openDatabase({ databaseUrl, dataFolder: '' })
  : await openPglite(undefined)
await migrate(db, migrations)
const models = new EmbeddingModels(
  background,
  { name: 'bench', dimensions: undefined, isAtEndpoint: false },
  TEXT_VERSION,
  enqueueAllVectors,
)
const lexicalIndex = new LexicalIndex(db, TEXT_VERSION, async () => {})
await lexicalIndex.prepare()
await models.prepare()
const { rows } = await sql<{ n: number }>`select count(*)::int as n from companies`.execute(db)
await fill(db, rows[0]?.n ?? 0)
await index(db)

/** Stores companies with their words and vectors. A run that was interrupted is continued. */
async function fill(db: Db, existing: number): Promise<void> {
  const start = performance.now()
  const [model] = await models.all()
  if (!model) throw new Error('The model does not exist.')
  for (let first = existing; first < companies; first += BATCH_SIZE) {
    const batch = Array.from({ length: Math.min(BATCH_SIZE, companies - first) }, (_value, n) =>
      newCompany(newId('cmp'), companyOf(first + n)),
    )
    await insertCompanies(batch).execute(db)
    await db.transaction().execute((transaction) =>
      lexicalIndex.store(
        transaction,
        batch.map((company) => ({
          id: company.id,
          text_hash: company.id,
          weights: documentWeights(embeddingText(company)),
        })),
      ),
    )
    const vectors = batch.map(({ id }) => ({
      id,
      text_hash: '',
      vector: someVector().map((x) => Math.round(x * 1e4) / 1e4),
    }))
    await storeVectors(db, model, vectors)
  }
  await sql`truncate embeddings_due, companies_to_embed`.execute(db)
  console.log(
    `${Math.max(0, companies - existing)} companies in ${((performance.now() - start) / 1000).toFixed(0)} s`,
  )
}

/** Builds the index of the vectors, unless an earlier run has. */
async function index(db: Db): Promise<void> {
  const [model] = await models.all()
  if (!model || model.state === 'complete') return
  await models.setLength(model, LENGTH)
  await models.complete()
  await sql`analyze`.execute(db)
}

const indexes: Indexes = {
  lexicalIndex,
  vectors: {
    models,
    embedQuestions: async (_model, questions) => questions.map(() => JSON.stringify(someVector())),
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
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(share * times.length)] as number).toFixed(1)
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

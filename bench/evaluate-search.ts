/**
 * `npm run eval:search -- FILE.csv` evaluates semantic search. It indexes each company's description without its
 * one-liner and name, searches for the one-liner, and reports the company's rank. If an embedding endpoint is
 * configured, its model is evaluated too.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { pino } from 'pino'
import { ListCaches } from '#src/features/companies/list/caches.ts'
import { listCompanies } from '#src/features/companies/list/list.ts'
import { insertCompanies, newCompany } from '#src/features/companies/store.ts'
import { TEXT_VERSION } from '#src/features/search/embedding-text.ts'
import { type Indexes, searchCompanies } from '#src/features/search/semantic.ts'
import { defaultBatchSize, embedConfigured } from '#src/features/search/vectors/embed-pending.ts'
import { EmbeddingModels } from '#src/features/search/vectors/embedding-models.ts'
import { createQuestionEmbedder } from '#src/features/search/vectors/question-vectors.ts'
import {
  enqueueAllCompanies,
  enqueueAllVectors,
  indexNextBatch,
} from '#src/features/search/words/index-changed.ts'
import { LexicalIndex } from '#src/features/search/words/lexical-index.ts'
import { migrations } from '#src/migrations/migrations.ts'
import { loadConfig, readEnvironmentFile } from '#src/platform/config/config.ts'
import type { EndpointConfig } from '#src/platform/config/embeddings.ts'
import type { Db } from '#src/platform/database/database.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openPglite } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'
import { createEmbedder } from '#src/platform/models/embedder.ts'
import { wordWeight } from '#src/platform/models/lexical.ts'

interface Case {
  id: string
  pitch: string
  description: string
}

const { positionals } = parseArgs({ allowPositionals: true })
const [file] = positionals
if (!file) {
  console.error('Usage: npm run eval:search -- FILE.csv, with the columns name, one_liner and description')
  process.exit(2)
}

const rows: Record<string, string>[] = parse(readFileSync(file), { columns: true, bom: true })
const without = (text: string, ...parts: string[]) =>
  parts.filter(Boolean).reduce((left, part) => left.split(part).join(' '), text)
const cases: Case[] = rows
  .map(({ name = '', one_liner = '', description = '' }) => ({
    id: newId('cmp'),
    pitch: without(one_liner, name).trim(),
    description: without(description, one_liner, name).trim(),
  }))
  .filter(({ pitch, description }) => /\w/.test(pitch) && /\w/.test(description))

const DEPTH = 10
type Search = (pitch: string) => Promise<string[]>

/** Prints the mean reciprocal rank within the first ten results, recall@1 and recall@10. */
async function measure(name: string, search: Search): Promise<void> {
  let [reciprocal, first, ten] = [0, 0, 0]
  for (const { id, pitch } of cases) {
    const place = (await search(pitch)).indexOf(id) + 1
    if (place > 0) reciprocal += 1 / place
    if (place === 1) first += 1
    if (place > 0) ten += 1
  }
  const figures = [reciprocal, first, ten].map((sum) => (sum / cases.length).toFixed(3))
  console.log(`| ${name} | ${figures.join(' | ')} |`)
}

/** The baseline: BM25 in memory over the same texts, with their actual average length. */
function bm25(): Search {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const documents = cases.map(({ description }) => words(description))
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const postings = new Map<string, { document: number; weight: number }[]>()
  for (const [document, found] of documents.entries()) {
    const counts = new Map<string, number>()
    for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, n] of counts) {
      const weight = (n * 2.2) / (n + 1.2 * (0.25 + (0.75 * found.length) / average))
      postings.set(word, [...(postings.get(word) ?? []), { document, weight }])
    }
  }
  return async (pitch) => {
    const scores = new Map<number, number>()
    for (const word of new Set(words(pitch))) {
      const having = postings.get(word) ?? []
      for (const { document, weight } of having) {
        const score = weight * wordWeight(documents.length, having.length)
        scores.set(document, (scores.get(document) ?? 0) + score)
      }
    }
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, DEPTH)
    return best.map(([document]) => cases[document]?.id ?? '')
  }
}

async function fill(db: Db, index: LexicalIndex): Promise<void> {
  // The texts contain no names, so all companies share one.
  const companies = cases.map(({ id, description }) =>
    newCompany(id, { name: '-', activity_description: description.slice(0, 20_000) }),
  )
  for (let start = 0; start < companies.length; start += 500)
    await insertCompanies(companies.slice(start, start + 500)).execute(db)
  while ((await indexNextBatch(db, index)) > 0);
}

/** Embeds all companies with the configured model. */
async function fillVectors(db: Db, { model, ...endpoint }: EndpointConfig): Promise<Indexes['vectors']> {
  const models = new EmbeddingModels(db, model, TEXT_VERSION, enqueueAllVectors)
  const embedder = createEmbedder(endpoint)
  const work = {
    db,
    models,
    embedder,
    batchSize: defaultBatchSize(),
    log: pino({ level: 'silent' }),
    isAlone: true,
  }
  await embedConfigured(work, new AbortController().signal)
  return { models, embedQuestion: createQuestionEmbedder(embedder) }
}

readEnvironmentFile()
const { endpoint } = loadConfig(process.env).embeddings
const { db } = await openPglite(undefined)
await migrate(db, migrations)
const lexicalIndex = new LexicalIndex(db, TEXT_VERSION, enqueueAllCompanies)
await fill(db, lexicalIndex)

const idsOf = ({ records }: { records: string }): string[] =>
  (JSON.parse(records) as { id: string }[]).map(({ id }) => id)
const lists = new ListCaches()
console.log(
  `${cases.length} companies of ${rows.length}\n\n| search | MRR@10 | recall@1 | recall@10 |\n|---|---:|---:|---:|`,
)
await measure('keyword (exact text)', async (search) =>
  idsOf(await listCompanies(db, lists, { search, limit: DEPTH })),
)
const measureModes = async (model: string, vectors: Indexes['vectors']) => {
  for (const mode of ['vector', 'hybrid'] as const)
    await measure(`${mode}, ${model}`, async (q) =>
      idsOf(await searchCompanies(db, { lexicalIndex, vectors }, { q, limit: DEPTH, mode })),
    )
}
await measureModes('builtin', undefined)
if (endpoint) await measureModes(endpoint.model.name, await fillVectors(db, endpoint))
await measure('BM25 in memory', bm25())
await db.destroy()

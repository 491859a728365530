/**
 * `npm run eval:search [-- FILE.csv] [-- --tune]` evaluates search. It reports how well each mode finds invented
 * companies by questions in other words, how well it ranks the demo's companies for its theses and, with a file, how well
 * it finds the invented companies among those of the file, and those of the file by their pitches. It uses the model that
 * the settings select. `--tune` prints the best SEARCH_VECTOR_WEIGHT.
 */
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { newCompany } from '#src/features/companies/company-row.ts'
import { type Indexes, openIndexes, searchCompanies } from '#src/features/search/semantic.ts'
import { migrations } from '#src/migrations/migrations.ts'
import { loadConfig, readEnvironmentFile } from '#src/platform/config/config.ts'
import type { Db } from '#src/platform/database/database.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openPglite } from '#src/platform/database/open.ts'
import { openEmbedder } from '#src/platform/embeddings/open-embedder.ts'
import { bm25 } from './evaluation/bm25.ts'
import { figuresOf, TABLE_HEAD, tableRow } from './evaluation/figures.ts'
import { fill } from './evaluation/fill.ts'
import { otherWords, readPitches, type Task } from './evaluation/tasks.ts'
import { evaluateMatches } from './evaluation/thesis-matches.ts'

const DEPTH = 10
const TUNED_WEIGHTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

type Search = (q: string) => Promise<string[]>

async function placesOf({ questions }: Task, search: Search): Promise<number[]> {
  const positions: number[] = []
  for (const { q, answer } of questions) positions.push((await search(q)).slice(0, DEPTH).indexOf(answer) + 1)
  return positions
}

/** Does work on a new database. */
async function onDatabase(work: (db: Db, indexes: Indexes) => Promise<void>): Promise<void> {
  const { db } = await openPglite(undefined)
  await migrate(db, migrations)
  const indexes = openIndexes(db, embeddings, embedder)
  if (!indexes) throw new Error('EMBEDDINGS is off.')
  await work(db, indexes)
  await db.destroy()
}

async function evaluate(db: Db, indexes: Indexes, task: Task, isTuning: boolean): Promise<void> {
  const { vectors } = indexes
  const rows = task.companies.map(({ id, name, description }) =>
    newCompany(id, { name, activity_description: description }),
  )
  await fill(db, rows, indexes, embedder)
  const search =
    (mode: 'auto' | 'vector' | 'words', used = indexes): Search =>
    async (q) => {
      const { records } = await searchCompanies(db, used, { q, limit: DEPTH, mode })
      return (JSON.parse(records) as { id: string }[]).map(({ id }) => id)
    }
  const print = async (name: string, searching: Search) =>
    console.log(tableRow(name, figuresOf(await placesOf(task, searching))))
  console.log(`\n${task.name}; ${task.companies.length} companies\n\n${TABLE_HEAD}`)
  await print('BM25 in memory', bm25(task.companies, DEPTH))
  await print('words', search('words'))
  if (vectors) await print(`vector (${vectors.models.model.name})`, search('vector'))
  await print('auto', search('auto'))
  if (isTuning && vectors) {
    let best = { weight: 0, mrr: -1 }
    for (const weight of TUNED_WEIGHTS) {
      const weighted = search('auto', { ...indexes, vectors: { ...vectors, weight } })
      const figures = figuresOf(await placesOf(task, weighted))
      console.log(tableRow(`auto, SEARCH_VECTOR_WEIGHT=${weight}`, figures))
      if (figures.mrr.value > best.mrr) best = { weight, mrr: figures.mrr.value }
    }
    console.log(`\nThe best weight here: SEARCH_VECTOR_WEIGHT=${best.weight}`)
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tune: { type: 'boolean', default: false } },
})
readEnvironmentFile()
const { embeddings } = loadConfig(process.env)
const embedder = openEmbedder(embeddings, pino())
const tasks = [otherWords(), ...positionals.flatMap((file) => [otherWords(file), readPitches(file)])]
for (const [n, task] of tasks.entries())
  await onDatabase((db, indexes) => evaluate(db, indexes, task, values.tune && n === tasks.length - 1))
await onDatabase((db, indexes) => evaluateMatches(db, indexes, embedder))
await embedder?.close?.()

import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { newCompany } from '#src/features/companies/company-row.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { embeddingText, TEXT_VERSION } from '#src/features/search/embedding-text.ts'
import { EmbeddingModels } from '#src/features/search/vectors/embedding-models.ts'
import { storeVectors } from '#src/features/search/vectors/vectors.ts'
import { enqueueAllVectors } from '#src/features/search/words/index-changed.ts'
import { LexicalIndex } from '#src/features/search/words/lexical-index.ts'
import { migrations } from '#src/migrations/migrations.ts'
import type { EmbeddingModel } from '#src/platform/config/embeddings.ts'
import type { Db } from '#src/platform/database/database.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { newId } from '#src/platform/ids.ts'
import { documentWeights } from '#src/platform/lexical.ts'
import { companyOf } from './companies.ts'
import { endDuplicateScan } from './load.ts'

/** The length of the built-in model's vectors. */
const LENGTH = 512
const BATCH_SIZE = 500
const CLUSTERS = 1000

const next = createRandom(11)
const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
const around = (center: number[], spread: number) => center.map((number) => number + spread * normal())
const centers = Array.from({ length: CLUSTERS }, () => around(new Array(LENGTH).fill(0), 1))

export const randomVector = (): number[] =>
  around(centers[Math.floor(next() * CLUSTERS)] as number[], 0.7).map((x) => Math.round(x * 1e4) / 1e4)

export interface IndexedCompanies {
  models: EmbeddingModels
  lexicalIndex: LexicalIndex
}

/**
 * Fills a database, which must be empty or come from an earlier run, with companies whose words are indexed and that have
 * random vectors of a model.
 * @param background a connection whose statements may take long
 */
export async function fillIndexed(
  db: Db,
  background: Db,
  companies: number,
  model: EmbeddingModel,
): Promise<IndexedCompanies> {
  await migrate(db, migrations)
  const models = new EmbeddingModels(
    background,
    { ...model, isAtEndpoint: false },
    TEXT_VERSION,
    enqueueAllVectors,
  )
  const lexicalIndex = new LexicalIndex(db, TEXT_VERSION, async () => {})
  await lexicalIndex.prepare()
  await models.prepare()
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from companies`.execute(db)
  const start = performance.now()
  const existing = rows[0]?.n ?? 0
  for (let first = existing; first < companies; first += BATCH_SIZE)
    await storeBatch(db, { models, lexicalIndex }, first, Math.min(BATCH_SIZE, companies - first))
  await sql`truncate embeddings_due, companies_to_embed`.execute(db)
  if (existing < companies) await endDuplicateScan(db)
  console.log(
    `${Math.max(0, companies - existing)} companies in ${((performance.now() - start) / 1000).toFixed(0)} s`,
  )
  await buildIndex(db, models)
  return { models, lexicalIndex }
}

async function storeBatch(
  db: Db,
  { models, lexicalIndex }: IndexedCompanies,
  first: number,
  count: number,
): Promise<void> {
  const [model] = await models.all()
  if (!model) throw new Error('The model does not exist.')
  const batch = Array.from({ length: count }, (_value, n) => newCompany(newId('cmp'), companyOf(first + n)))
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
  await storeVectors(
    db,
    model,
    batch.map(({ id }) => ({ id, text_hash: '', vector: randomVector() })),
  )
}

/** Builds the index of the vectors, unless an earlier run has. */
async function buildIndex(db: Db, models: EmbeddingModels): Promise<void> {
  const [model] = await models.all()
  if (!model || model.state === 'complete') return
  await models.setLength(model, LENGTH)
  await models.complete()
  await sql`analyze`.execute(db)
}

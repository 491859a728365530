import { sql } from 'kysely'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput, Unavailable } from '#src/platform/errors.ts'
import { LEXICAL_DIMENSIONS, LEXICAL_MODEL } from '#src/platform/lexical.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { type EmbeddedFields, embeddedFields, embeddingText } from './embedding-text.ts'
import type { Indexes } from './semantic.ts'
import type { StoredModel } from './vectors/stored-model.ts'
import { requeue } from './vectors/vector-backlog.ts'
import { storeVectors } from './vectors/vectors.ts'

export interface EmbeddingState {
  company_id: string
  text: string
  text_hash: string
  /** Whether this text is already indexed. */
  is_current: boolean
}

/** An embedding that a worker submits. */
export interface SubmittedEmbedding {
  company_id: string
  model: string
  text_hash: string
  /** From an embedding endpoint. */
  vector?: number[]
  /** From the builtin model: pairs of dimension and weight. */
  weights?: number[][]
}

/**
 * Creates the tables of the indexes if they do not exist.
 * @throws Unavailable without pgvector
 */
export async function prepareIndexes({ lexicalIndex, vectors }: Indexes): Promise<void> {
  await lexicalIndex.prepare()
  await vectors?.models.prepare()
}

/**
 * The indexes, ready to be searched.
 * @throws Unavailable if semantic search is off, or without pgvector
 */
export async function requireIndexes(indexes: Indexes | undefined): Promise<Indexes> {
  if (!indexes)
    throw new Unavailable(
      'Semantic search is turned off (EMBEDDINGS=off). Set EMBEDDINGS to builtin, builtin-words, local, or openai-compatible to turn it on.',
    )
  await prepareIndexes(indexes)
  return indexes
}

/** The model that workers must use. `key` identifies its embeddings. */
export const embeddingModel = ({
  lexicalIndex,
  vectors,
}: Indexes): { key: string; name: string; dimensions: number | null } =>
  vectors
    ? {
        key: vectors.models.key,
        name: vectors.models.model.name,
        dimensions: vectors.models.model.dimensions ?? null,
      }
    : { key: lexicalIndex.model, name: LEXICAL_MODEL, dimensions: null }

/** The texts of companies to embed, ordered by id. */
export async function readEmbeddingStates(
  db: Db,
  { vectors }: Indexes,
  company_ids: string[],
): Promise<EmbeddingState[]> {
  const stored = vectors
    ? sql`select text_hash from embeddings where model = ${vectors.models.key} and embeddings.id = companies.id`
    : sql`select text_hash from lexical_vectors where lexical_vectors.id = companies.id`
  const { rows } = await sql<EmbeddedFields & { company_id: string; stored_hash: string | null }>`
    select id as company_id, ${embeddedFields}, (${stored}) as stored_hash
    from companies where id = any(${company_ids}) order by id`.execute(db)
  return rows.map(({ company_id, stored_hash, ...company }) => {
    const text = embeddingText(company)
    const text_hash = textHash(text)
    return { company_id, text, text_hash, is_current: text_hash === stored_hash }
  })
}

/**
 * Checks embeddings, and prepares for `storeEmbeddings` what cannot be done in its transaction.
 * @throws InvalidInput when they do not fit the configured model, Unavailable without an index
 */
export async function prepareEmbeddings(
  indexes: Indexes,
  embeddings: SubmittedEmbedding[],
): Promise<StoredModel | undefined> {
  const { vectors } = indexes
  const { key: expected } = embeddingModel(indexes)
  const other = embeddings.find(({ model }) => model !== expected)
  if (other) throw new InvalidInput(`model must be ${expected}, the configured model, not ${other.model}.`)
  if (embeddings.some(({ vector, weights }) => (vectors ? !vector : !weights)))
    throw new InvalidInput(`An embedding by ${expected} must have ${vectors ? 'a vector' : 'weights'}.`)
  if (embeddings.some(({ weights = [] }) => !weights.every(isWeight)))
    throw new InvalidInput(
      'weights must be pairs of a dimension of the builtin model and a weight greater than 0.',
    )
  const model = await vectors?.models.configured()
  const length = embeddings[0]?.vector?.length
  if (!vectors || !length) return undefined
  if (!model) throw new Unavailable(`Another process of the service has replaced the model ${expected}.`)
  if (embeddings.some(({ vector }) => vector?.length !== (model.length ?? length)))
    throw new InvalidInput(`vector must have ${model.length ?? length} numbers.`)
  return model.length === null ? vectors.models.setLength(model, length) : model
}

const isWeight = ([dimension = -1, weight = 0]: number[]): boolean =>
  Number.isInteger(dimension) && dimension >= 0 && dimension < LEXICAL_DIMENSIONS && weight > 0

/**
 * Stores the embeddings that a worker submits. Skips those of outdated texts: the service queues every change, and embeds
 * the new text itself.
 */
export async function storeEmbeddings(
  transaction: Db,
  { lexicalIndex }: Indexes,
  model: StoredModel | undefined,
  embeddings: SubmittedEmbedding[],
): Promise<void> {
  if (embeddings.length === 0) return
  if (!model) await takeLock(transaction, 'search indexes')
  const current = await currentHashes(
    transaction,
    embeddings.map(({ company_id }) => company_id),
  )
  const valid = embeddings
    .filter(({ company_id, text_hash }) => current.get(company_id) === text_hash)
    .sort((a, b) => (a.company_id < b.company_id ? -1 : 1))
  if (model) {
    await requeue(
      transaction,
      model,
      valid.map(({ company_id }) => company_id),
    )
    return storeVectors(
      transaction,
      model,
      valid.map(({ company_id, text_hash, vector = [] }) => ({ id: company_id, text_hash, vector })),
    )
  }
  await lexicalIndex.store(
    transaction,
    valid.map(({ company_id, text_hash, weights = [] }) => ({
      id: company_id,
      text_hash,
      weights: new Map(weights as [number, number][]),
    })),
  )
}

/** The hashes of companies' texts, locked against changes until the transaction ends. */
async function currentHashes(transaction: Db, company_ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<EmbeddedFields & { company_id: string }>`
    select id as company_id, ${embeddedFields} from companies where id = any(${company_ids})
    order by id for share`.execute(transaction)
  return new Map(rows.map(({ company_id, ...company }) => [company_id, textHash(embeddingText(company))]))
}

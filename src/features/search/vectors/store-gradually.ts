import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#src/platform/database/database.ts'
import type { Embedding } from '#src/platform/embeddings/embedding-batches.ts'
import type { StoredModel } from './stored-model.ts'
import { lockPending, type PendingDocument, settlePending } from './vector-backlog.ts'
import { storeVectors } from './vectors.ts'

/** The longest time of one write. Other requests wait for the embedded database's only connection. */
const MAX_STORE_MS = 20
/** The pause after a write, as a multiple of its time, which leaves time for other work on the database. */
const PAUSE_FACTOR = 3
const MAX_PAUSE_MS = 200

export interface PendingText extends PendingDocument {
  text: string
  text_hash: string
}

export interface StoringSize {
  /** Per request to the model. */
  texts: number
  /** Stored at a time. Changes with the speed of the database. */
  vectors: number
}

/** Stores embeddings in parts that take a short time each. */
export async function storeGradually(
  db: Db,
  model: StoredModel,
  texts: PendingText[],
  embeddings: Embedding[],
  batchSize: StoringSize,
  stopped: AbortSignal,
): Promise<void> {
  for (let first = 0; first < texts.length; ) {
    const end = first + batchSize.vectors
    const start = performance.now()
    await storeEmbeddings(db, model, texts.slice(first, end), embeddings.slice(first, end))
    const elapsed = performance.now() - start
    if (elapsed > MAX_STORE_MS) batchSize.vectors = Math.ceil(batchSize.vectors / 2)
    else if (elapsed < MAX_STORE_MS / 2) batchSize.vectors = Math.min(batchSize.texts, 2 * batchSize.vectors)
    first = end
    if (first < texts.length && !stopped.aborted)
      await sleep(Math.min(PAUSE_FACTOR * elapsed, MAX_PAUSE_MS), undefined, { signal: stopped }).catch(
        () => {},
      )
  }
}

function storeEmbeddings(
  db: Db,
  model: StoredModel,
  texts: PendingText[],
  embeddings: Embedding[],
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const pending = await lockPending(transaction, model, texts)
    const vectors = texts.flatMap(({ id, text_hash }, n) => {
      const embedding = embeddings[n]
      return embedding && 'vector' in embedding && pending.has(id)
        ? [{ id, text_hash, vector: embedding.vector }]
        : []
    })
    await storeVectors(transaction, model, vectors)
    const settled = texts.map(({ id, change }, n) => {
      const embedding = embeddings[n]
      return { id, change, ...(embedding && 'reason' in embedding && { reason: embedding.reason }) }
    })
    await settlePending(transaction, model, settled)
  })
}

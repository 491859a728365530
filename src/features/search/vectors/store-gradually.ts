import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchSize } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Embedding } from '#src/platform/embeddings/embedding-batches.ts'
import type { StoredModel } from './stored-model.ts'
import { lockPending, type PendingDocument, settlePending } from './vector-backlog.ts'
import { storeVectors } from './vectors.ts'

/** The pause after a write, as a multiple of its time, which leaves time for other work on the database. */
const PAUSE_FACTOR = 3
const MAX_PAUSE_MS = 200

export interface PendingText extends PendingDocument {
  text: string
  text_hash: string
}

/** Stores embeddings in parts that take a short time each. */
export async function storeGradually(
  db: Db,
  model: StoredModel,
  texts: PendingText[],
  embeddings: Embedding[],
  size: BatchSize,
  stopped: AbortSignal,
): Promise<void> {
  for (let first = 0; first < texts.length; ) {
    const end = first + size.records
    const start = performance.now()
    const batch = { texts: texts.slice(first, end), embeddings: embeddings.slice(first, end) }
    await db.transaction().execute((transaction) =>
      size.measure(
        () => storeEmbeddings(transaction, model, batch),
        () => batch.texts.length,
      ),
    )
    const elapsed = performance.now() - start
    first = end
    if (first < texts.length && !stopped.aborted)
      await sleep(Math.min(PAUSE_FACTOR * elapsed, MAX_PAUSE_MS), undefined, { signal: stopped }).catch(
        () => {},
      )
  }
}

async function storeEmbeddings(
  transaction: Db,
  model: StoredModel,
  { texts, embeddings }: { texts: PendingText[]; embeddings: Embedding[] },
): Promise<void> {
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
}

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database.ts'
import type { Embedder, Embedding } from '#src/platform/embeddings.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { claimDue, type Due, lockDue, releaseDue, settleDue } from '#src/platform/vector-backlog.ts'
import type { StoredModel, VectorIndex } from '#src/platform/vectors.ts'
import { type EmbeddedFields, embeddedFields, embeddingText } from './embedding-text.ts'

/** Texts in a request to the endpoint, and requests that it is sent at the same time. */
const IN_A_CALL = 64
const CALLS = 4
const CALL_MS = 120_000
const RETRIES = 2

interface DueText extends Due {
  text: string
  text_hash: string
}

/** Makes the vectors that are due: of the configured model, and of the one that answers until that is complete. */
export async function embedDueCompanies(
  db: Db,
  vectors: VectorIndex,
  embedder: Embedder,
  stopped: AbortSignal,
): Promise<void> {
  await vectors.prepare()
  const [configured, ...others] = await vectors.models()
  if (!configured) return
  const answering = await vectors.answering()
  const [outcome, former] = await Promise.allSettled([
    embedDue(db, { vectors, embedder, stopped }, configured),
    answering && others.includes(answering) && embedDue(db, { vectors, embedder, stopped }, answering),
  ])
  if (outcome.status === 'rejected') throw outcome.reason
  await vectors.complete()
  await vectors.removeFormer()
  if (former.status === 'rejected') throw former.reason
}

interface Work {
  vectors: VectorIndex
  embedder: Embedder
  stopped: AbortSignal
}

async function embedDue(db: Db, work: Work, model: StoredModel): Promise<void> {
  let current = model
  await work.vectors.createIndex(current)
  while (!work.stopped.aborted) {
    const claimed = await claimDue(db, current, current.length === null ? IN_A_CALL : IN_A_CALL * CALLS)
    if (claimed.length === 0) return
    try {
      current = await embedClaimed(db, work, current, claimed)
    } finally {
      await releaseDue(db, current, claimed)
    }
  }
}

async function embedClaimed(
  db: Db,
  { vectors, embedder, stopped }: Work,
  model: StoredModel,
  claimed: Due[],
): Promise<StoredModel> {
  let current = model
  const changed = await readChanged(db, model, claimed)
  const unchanged = claimed.filter((due) => !changed.some(({ id }) => id === due.id))
  await settleDue(db, model, unchanged)

  const parts = Array.from({ length: Math.ceil(changed.length / IN_A_CALL) }, (_value, n) =>
    changed.slice(n * IN_A_CALL, (n + 1) * IN_A_CALL),
  )
  const calls = parts.map((part) =>
    embedder.embed(
      model,
      part.map(({ text }) => text),
      { length: model.length ?? undefined, milliseconds: CALL_MS, retries: RETRIES, stopped },
    ),
  )
  // The first that fails is thrown below; the others then fail unheard.
  for (const call of calls) call.catch(() => {})
  for (const [n, call] of calls.entries()) {
    const embeddings = await call
    const length = embeddings
      .map((embedding) => 'vector' in embedding && embedding.vector.length)
      .find(Boolean)
    if (length && current.length === null) current = await vectors.setLength(current, length)
    const start = performance.now()
    await storeEmbeddings(db, vectors, current, parts[n] ?? [], embeddings)
    // Leaves others three times as much of the database as it takes.
    if (n + 1 < calls.length) await sleep(3 * (performance.now() - start))
  }
  return current
}

/** Those of the companies whose vector is missing or of another text. */
async function readChanged(db: Db, { key }: StoredModel, claimed: Due[]): Promise<DueText[]> {
  const { rows } = await sql<EmbeddedFields & Due & { stored_hash: string | null }>`
    select companies.id, change, ${embeddedFields}, text_hash as stored_hash
    from unnest(${claimed.map(({ id }) => id)}::text[], ${claimed.map(({ change }) => change)}::text[])
      as claimed(id, change)
    join companies on companies.id = claimed.id
    left join embeddings on model = ${key} and embeddings.id = claimed.id`.execute(db)
  return rows
    .map(({ id, change, stored_hash, ...company }) => {
      const text = embeddingText(company)
      return { id, change, text, text_hash: textHash(text), stored_hash }
    })
    .filter(({ text_hash, stored_hash }) => text_hash !== stored_hash)
}

function storeEmbeddings(
  db: Db,
  vectors: VectorIndex,
  model: StoredModel,
  texts: DueText[],
  embeddings: Embedding[],
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const waiting = await lockDue(transaction, model, texts)
    const made = texts.flatMap(({ id, text_hash }, n) => {
      const embedding = embeddings[n]
      return embedding && 'vector' in embedding && waiting.has(id)
        ? [{ id, text_hash, vector: embedding.vector }]
        : []
    })
    await vectors.store(transaction, model, made)
    const settled = texts.map(({ id, change }, n) => {
      const embedding = embeddings[n]
      return { id, change, ...(embedding && 'reason' in embedding && { reason: embedding.reason }) }
    })
    await settleDue(transaction, model, settled)
  })
}

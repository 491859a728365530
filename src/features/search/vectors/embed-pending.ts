import { sql } from 'kysely'
import type { Logger } from 'pino'
import { BatchSize } from '#src/platform/database/batch-size.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { BATCH_RETRY_POLICY, type Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'
import { EndpointFailure, EndpointTimeout } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { textHash } from '#src/platform/text-hash.ts'
import { type EmbeddedFields, embeddedFields, embeddingText } from '../embedding-text.ts'
import { enqueueMissingVectors } from '../words/index-changed.ts'
import type { EmbeddingModels } from './embedding-models.ts'
import { type PendingText, storeGradually } from './store-gradually.ts'
import type { StoredModel } from './stored-model.ts'
import {
  claimPending,
  lockPending,
  type PendingDocument,
  releaseAll,
  releasePending,
  settlePending,
} from './vector-backlog.ts'
import { createVectorIndex } from './vector-index.ts'
import { dropBeyondLimit, selectWithinLimit, trimToLimit } from './vector-limit.ts'

/** The number of texts per request, and of concurrent requests. Both shrink when the endpoint is too slow. */
interface Requests {
  texts: number
  calls: number
}

const MAX_TEXTS = 64
const MAX_CALLS = 4
/** The longest time of one write. Other requests wait for the embedded database's only connection. */
const MAX_STORE_MS = 20

/** What embedding work learns about the speed of its endpoint and its database. */
export const initialSpeed = (): Pick<EmbeddingWork, 'requests' | 'stored'> => ({
  requests: { texts: MAX_TEXTS, calls: MAX_CALLS },
  stored: new BatchSize(MAX_TEXTS, MAX_STORE_MS),
})

export interface EmbeddingWork {
  db: Db
  models: EmbeddingModels
  embedder: Embedder
  requests: Requests
  /** How many vectors a transaction writes. */
  stored: BatchSize
  log: Logger
  /** Whether this is the only process, so that existing claims are left over from a crash. Reset once they are released. */
  isAlone: boolean
  /** How many documents get a vector; undefined for all. */
  maxVectors: number | undefined
}

/** With a limit on vectors, a deletion makes room for another document. */
const CHECK_INTERVAL_MS = 3_600_000
/** When the models of this work were last checked for missing vectors. */
const checkedAt = new WeakMap<EmbeddingWork, number>()

/** Embeds the queued documents of the configured model, and switches search to it once it is complete. */
export async function embedConfigured(work: EmbeddingWork, stopped: AbortSignal): Promise<void> {
  const { models, log } = work
  await models.prepare()
  const configured = await models.configured()
  if (!configured) return
  if (work.isAlone) await releaseAll(work.db)
  work.isAlone = false
  if (isCheckDue(work)) await queueMissing(work, configured)
  await embedPending(work, configured, stopped)
  if ((await isUpToDate(work.db)) && (await models.complete()))
    log.info(`semantic search now uses the model ${configured.key}`)
  await models.removePrevious(stopped)
}

const isCheckDue = (work: EmbeddingWork): boolean => {
  const last = checkedAt.get(work)
  return last === undefined || (work.maxVectors !== undefined && Date.now() - last >= CHECK_INTERVAL_MS)
}

/** Queues documents that have no vector, such as those beyond a limit that was raised. */
async function queueMissing(work: EmbeddingWork, model: StoredModel): Promise<void> {
  const { db, maxVectors } = work
  let companies = sql<boolean>`true`
  if (maxVectors !== undefined) {
    await trimToLimit(db, model, maxVectors)
    companies = sql`companies.id in (${await selectWithinLimit(db, model, maxVectors)})`
  }
  await enqueueMissingVectors(db, model.key, companies)
  checkedAt.set(work, Date.now())
}

/** Embeds queued documents for the model in use, while the configured one is not complete. */
export async function embedActive(work: EmbeddingWork, stopped: AbortSignal): Promise<void> {
  const { models } = work
  await models.prepare()
  const active = await models.answering()
  if (active && active.key !== models.key) await embedPending(work, active, stopped)
}

/** Whether all changes are queued. */
async function isUpToDate(db: Db): Promise<boolean> {
  const { rows } = await sql`select from companies_to_embed limit 1`.execute(db)
  return rows.length === 0
}

async function embedPending(work: EmbeddingWork, model: StoredModel, stopped: AbortSignal): Promise<void> {
  const { db, models, maxVectors } = work
  let current = model
  await createVectorIndex(db, current, stopped)
  while (!stopped.aborted) {
    if (maxVectors !== undefined) await dropBeyondLimit(db, current, maxVectors)
    const { texts, calls } = work.requests
    const claimed = await claimPending(db, current, current.length === null ? texts : texts * calls)
    if (claimed.length === 0) return
    try {
      current = await embedClaimed(work, current, claimed, stopped)
    } catch (error) {
      await releasePending(db, current, claimed, !stopped.aborted)
      if (error instanceof EndpointTimeout) slowDown(work.requests)
      if (error instanceof EndpointFailure && !stopped.aborted) await models.setError(current, error.message)
      throw error
    }
    if (maxVectors !== undefined) await trimToLimit(db, current, maxVectors)
    await models.setError(current, null)
  }
}

function slowDown(requests: Requests): void {
  if (requests.calls === 1) requests.texts = Math.ceil(requests.texts / 4)
  requests.calls = 1
}

async function embedClaimed(
  work: EmbeddingWork,
  model: StoredModel,
  claimed: PendingDocument[],
  stopped: AbortSignal,
): Promise<StoredModel> {
  const { db, models, embedder } = work
  let current = model
  const changed = await readChanged(db, model, claimed)
  const isChanged = new Set(changed.map(({ id }) => id))
  await settle(
    db,
    model,
    claimed.filter(({ id }) => !isChanged.has(id)),
  )

  const { texts } = work.requests
  const parts = Array.from({ length: Math.ceil(changed.length / texts) }, (_value, n) =>
    changed.slice(n * texts, (n + 1) * texts),
  )
  const calls = parts.map((part) =>
    embedder.embed(
      model,
      part.map(({ text }) => text),
      { length: model.length ?? undefined, ...BATCH_RETRY_POLICY, stopped },
    ),
  )
  const outcomes = calls.map((call) =>
    call.then((embeddings) => ({ embeddings })).catch((error) => ({ error })),
  )
  let firstError: unknown
  for (const [n, outcome] of outcomes.entries()) {
    const done = await outcome
    // The other results are kept, because they have been paid for.
    if ('error' in done) {
      firstError ??= done.error
      continue
    }
    const { embeddings } = done
    const length = embeddings
      .map((embedding) => 'vector' in embedding && embedding.vector.length)
      .find(Boolean)
    if (length && current.length === null) current = await models.setLength(current, length)
    await storeGradually(db, current, parts[n] ?? [], embeddings, work.stored, stopped)
  }
  if (firstError) throw firstError
  return current
}

/** The claimed companies whose vector is missing or belongs to another text. */
async function readChanged(db: Db, { key }: StoredModel, claimed: PendingDocument[]): Promise<PendingText[]> {
  const { rows } = await sql<EmbeddedFields & PendingDocument & { stored_hash: string | null }>`
    select companies.id, change, ${embeddedFields}, text_hash as stored_hash
    from ${rowsFrom('claimed', { id: 'text', change: 'text' }, claimed)}
    join companies on companies.id = claimed.id
    left join embeddings on model = ${key} and embeddings.id = claimed.id`.execute(db)
  return rows
    .map(({ id, change, stored_hash, ...company }) => {
      const text = embeddingText(company)
      return { id, change, text, text_hash: textHash(text), stored_hash }
    })
    .filter(({ text_hash, stored_hash }) => text_hash !== stored_hash)
}

const settle = (db: Db, model: StoredModel, settled: PendingDocument[]): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await lockPending(transaction, model, settled)
    await settlePending(transaction, model, settled)
  })

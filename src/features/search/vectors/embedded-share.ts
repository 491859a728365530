import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#src/platform/database/database.ts'
import type { StoredModel } from './stored-model.ts'

/** A longer queue is counted less often, because counting takes time. */
const MAX_QUICK_COUNT = 10_000
const CACHE_MS = 10_000

/** The share of documents that have an up-to-date vector of a model, from 0 to 1. */
export type EmbeddedShare = (model: StoredModel) => Promise<number>

/** @param maxVectors how many documents get a vector; undefined for all */
export function createEmbeddedShare(db: Db, maxVectors = Number.POSITIVE_INFINITY): EmbeddedShare {
  const cache = new LRUCache<string, Promise<number>>({ max: 10, ttl: CACHE_MS })
  return async ({ key }) => {
    const cached = cache.get(key)
    if (cached) return cached
    const { pending, documents } = await count(db, key, MAX_QUICK_COUNT)
    if (pending < MAX_QUICK_COUNT) return shareOf(pending, documents, maxVectors)
    const share = count(db, key, documents).then((all) => shareOf(all.pending, all.documents, maxVectors))
    cache.set(key, share)
    share.catch(() => cache.delete(key))
    return share
  }
}

function shareOf(pending: number, documents: number, maxVectors: number): number {
  const missing = Math.max(pending, documents - maxVectors)
  return documents === 0 ? 1 : Math.max(0, 1 - missing / documents)
}

async function count(db: Db, key: string, max: number): Promise<{ pending: number; documents: number }> {
  const { rows } = await sql<{ pending: number; documents: number }>`
    select documents::float8, (
      select count(*)::float8 from (select from embeddings_due where model = ${key} limit ${max}) counted
    ) as pending from lexical_corpus`.execute(db)
  return rows[0] ?? { pending: 0, documents: 0 }
}

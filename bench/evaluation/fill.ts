import { pino } from 'pino'
import type { StoredCompany } from '#src/features/companies/company-row.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import type { Indexes } from '#src/features/search/semantic.ts'
import { embedConfigured, initialSpeed } from '#src/features/search/vectors/embed-pending.ts'
import { indexNextBatch } from '#src/features/search/words/index-changed.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Embedder } from '#src/platform/embeddings/endpoint-embedder.ts'

const BATCH_SIZE = 500

/** Stores companies, and indexes their words and vectors. */
export async function fill(
  db: Db,
  companies: StoredCompany[],
  { lexicalIndex, vectors }: Indexes,
  embedder: Embedder | undefined,
): Promise<void> {
  for (let start = 0; start < companies.length; start += BATCH_SIZE)
    await insertCompanies(companies.slice(start, start + BATCH_SIZE)).execute(db)
  while ((await indexNextBatch(db, lexicalIndex)) > 0);
  if (!vectors || !embedder) return
  await embedConfigured(
    {
      db,
      models: vectors.models,
      embedder,
      ...initialSpeed(),
      log: pino({ level: 'silent' }),
      isAlone: true,
      maxVectors: undefined,
    },
    new AbortController().signal,
  )
}

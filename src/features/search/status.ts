import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { missingPrerequisite } from './pgvector.ts'
import type { SearchStatus } from './schema.ts'
import type { Indexes, VectorSearch } from './semantic.ts'
import { VECTOR_TABLE } from './vectors/embedding-models.ts'
import { LEXICAL_TABLE } from './words/lexical-index.ts'

const MAX_FAILURES = 100
const WORDS = 'words'

/** The progress of indexing, and the companies that failed. Only reads. */
export async function readStatus(
  db: Db,
  embeddings: SearchStatus['embeddings'],
  indexes: Indexes | undefined,
): Promise<SearchStatus> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::float8 as waiting from companies_to_embed`.execute(db)
  const missing = indexes ? await missingPrerequisite(db, tablesOf(indexes)) : null
  const base: SearchStatus = {
    ...{ embeddings, waiting: rows[0]?.waiting ?? 0, fault: missing },
    ...{ answering: null, is_semantic: false, models: [], failures: [] },
  }
  if (!indexes || missing !== null) return base
  return indexes.vectors ? withModels(db, base, indexes.vectors) : { ...base, answering: WORDS }
}

/** The tables that exist once the indexes have been created. */
const tablesOf = ({ vectors }: Indexes): string[] => [LEXICAL_TABLE, ...(vectors ? [VECTOR_TABLE] : [])]

/** The status with the models and the companies that they failed for. */
async function withModels(db: Db, base: SearchStatus, vectors: VectorSearch): Promise<SearchStatus> {
  const error = vectors.fault()
  const active = error ? undefined : await vectors.models.answering()
  const models = await sql<SearchStatus['models'][number]>`
    select key as model, state, length as dimensions,
      (select count(*) from embeddings where model = key)::float8 as embedded,
      (select count(*) from embeddings_due where model = key and reason is null)::float8 as waiting,
      (select count(*) from embeddings_due where model = key and reason is not null)::float8 as failed,
      fault
    from embedding_models order by key = ${vectors.models.key} desc, created_at desc`.execute(db)
  const failures = await sql<SearchStatus['failures'][number]>`
    select model, companies.id as company_id, name, reason from embeddings_due
    join companies on companies.id = embeddings_due.id
    where embeddings_due.reason is not null order by change desc, companies.id limit ${MAX_FAILURES}`.execute(
    db,
  )
  return {
    ...base,
    answering: active?.key ?? WORDS,
    is_semantic: active !== undefined,
    models: models.rows.map((row) =>
      row.model === vectors.models.key ? { ...row, fault: row.fault ?? error } : row,
    ),
    failures: failures.rows,
  }
}

import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import type { SearchStatus } from './schema.ts'
import type { Indexes } from './semantic.ts'

const MAX_FAILURES = 100
const WORDS = 'words'

/** The progress of indexing, and the companies that failed. */
export async function readStatus(
  db: Db,
  embeddings: SearchStatus['embeddings'],
  indexes: Indexes | undefined,
): Promise<SearchStatus> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::float8 as waiting from companies_to_embed`.execute(db)
  const common = { embeddings, waiting: rows[0]?.waiting ?? 0 }
  if (!indexes) return { ...common, answering: null, is_semantic: false, models: [], failures: [] }
  if (!indexes.vectors) return { ...common, answering: WORDS, is_semantic: false, models: [], failures: [] }
  const fault = indexes.vectors.fault()
  const answering = fault ? undefined : await indexes.vectors.models.answering()
  const models = await sql<SearchStatus['models'][number]>`
    select key as model, state, length as dimensions,
      (select count(*) from embeddings where model = key)::float8 as embedded,
      (select count(*) from embeddings_due where model = key and reason is null)::float8 as waiting,
      (select count(*) from embeddings_due where model = key and reason is not null)::float8 as failed,
      fault
    from embedding_models order by key = ${indexes.vectors.models.key} desc, created_at desc`.execute(db)
  const failures = await sql<SearchStatus['failures'][number]>`
    select model, companies.id as company_id, name, reason from embeddings_due
    join companies on companies.id = embeddings_due.id
    where embeddings_due.reason is not null order by change desc, companies.id limit ${MAX_FAILURES}`.execute(
    db,
  )
  return {
    ...common,
    answering: answering?.key ?? WORDS,
    is_semantic: answering !== undefined,
    models: models.rows.map((model, n) => (n === 0 ? { ...model, fault: model.fault ?? fault } : model)),
    failures: failures.rows,
  }
}

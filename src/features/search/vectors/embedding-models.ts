import { sql } from 'kysely'
import { type EmbeddingModel, MAX_DIMENSIONS } from '#src/platform/config/embeddings.ts'
import type { Db } from '#src/platform/database/database.ts'
import { EndpointFailure, wrongLength } from '#src/platform/model-endpoint/endpoint-errors.ts'
import { pgvectorSetup } from '../pgvector.ts'
import type { ActiveModel, StoredModel } from './stored-model.ts'
import { createVectorIndex, dropVectorIndex } from './vector-index.ts'

/** Exists once a model has been configured. */
export const VECTOR_TABLE = 'embeddings'

const REMOVE_BATCH_SIZE = 1000

const fields = sql`key, name, dimensions, length, state, is_at_endpoint`

/** The models whose vectors are in the database. */
export class EmbeddingModels {
  /**
   * Creates the table of vectors if it does not exist, and registers the configured model.
   * @throws Unavailable without pgvector
   */
  readonly prepare: () => Promise<void>
  /** The key of the configured model. */
  readonly key: string
  readonly model: EmbeddingModel
  readonly #db: Db
  readonly #isAtEndpoint: boolean

  /**
   * @param model the configured model, and whether an endpoint makes its vectors
   * @param textVersion the version of the embedded text; all documents are embedded again when it changes
   * @param onCreate called when a model is new, to queue all documents
   */
  constructor(
    db: Db,
    { isAtEndpoint, ...model }: EmbeddingModel & { isAtEndpoint: boolean },
    textVersion: number,
    onCreate: (transaction: Db, model: string) => Promise<unknown>,
  ) {
    const { name, dimensions } = model
    this.key = `${name}${dimensions ? `, ${dimensions} dimensions` : ''}, text ${textVersion}`
    this.model = model
    this.#db = db
    this.#isAtEndpoint = isAtEndpoint
    this.prepare = pgvectorSetup(db, VECTOR_TABLE, async (transaction) => {
      await sql`
        create table if not exists embeddings (
          model text collate "C" not null,
          id text collate "C" not null,
          dimensions int not null,
          text_hash text not null,
          vector vector not null,
          primary key (model, id)
        )`.execute(transaction)
      const { rows } = await sql`
        insert into embedding_models (key, name, dimensions, is_at_endpoint)
        values (${this.key}, ${name}, ${dimensions ?? null}, ${isAtEndpoint})
        on conflict (key) do update set state = 'filling' where embedding_models.state = 'former'
        returning key`.execute(transaction)
      await sql`
        update embedding_models set is_at_endpoint = ${isAtEndpoint}
        where key = ${this.key} and is_at_endpoint <> ${isAtEndpoint}`.execute(transaction)
      if (rows.length > 0) await onCreate(transaction, this.key)
    })
  }

  /** All models: the configured one first, then the newest first. */
  async all(): Promise<StoredModel[]> {
    const { rows } = await sql<StoredModel>`
      select ${fields} from embedding_models order by key = ${this.key} desc, created_at desc`.execute(
      this.#db,
    )
    return rows
  }

  /** The configured model; undefined if a process with another configuration has replaced it. */
  async configured(): Promise<StoredModel | undefined> {
    const [first] = await this.all()
    return first?.key === this.key && first.state !== 'former' ? first : undefined
  }

  /**
   * The model whose vectors are searched: the configured one, or the previous one until that is complete, if it can still
   * embed questions. Without one, the vectors that the configured one has so far are searched.
   */
  async answering(): Promise<ActiveModel | undefined> {
    const canEmbed = ({ key, is_at_endpoint }: StoredModel) =>
      key === this.key || (this.#isAtEndpoint && is_at_endpoint)
    const models = (await this.all()).filter(
      (model): model is ActiveModel => model.length !== null && canEmbed(model),
    )
    const filling = models.find(({ key, state }) => key === this.key && state === 'filling')
    return models.find(({ state }) => state === 'complete') ?? filling
  }

  /**
   * Stores the number of dimensions, which is unknown before the first vector, and creates the index.
   * @throws EndpointFailure when the stored vectors have another length, or pgvector cannot index that many dimensions
   */
  async setLength(model: StoredModel, length: number): Promise<StoredModel> {
    if (length > MAX_DIMENSIONS)
      throw new EndpointFailure(
        `The embedding model ${model.name} returns vectors with ${length} dimensions, and pgvector can index at most ${MAX_DIMENSIONS}. ` +
          'Set EMBEDDINGS_DIMENSIONS to a smaller number if the model supports it, or set EMBEDDINGS_MODEL to another model.',
      )
    const { rows } = await sql<StoredModel>`
      update embedding_models set length = coalesce(length, ${length}) where key = ${model.key}
      returning ${fields}`.execute(this.#db)
    const [updated = model] = rows
    if (updated.length !== length) throw wrongLength(model.name, length, updated.length ?? 0)
    await createVectorIndex(this.#db, updated)
    return updated
  }

  /** Stores why the endpoint cannot create vectors now; null if it can. */
  async setError({ key }: StoredModel, error: string | null): Promise<void> {
    await sql`
      update embedding_models set fault = ${error} where key = ${key} and fault is distinct from ${error}`.execute(
      this.#db,
    )
  }

  /**
   * Switches search to the configured model once nothing is left to embed, unless more documents have failed than have
   * vectors. All other models get the state `former`.
   * @returns whether this call switched to it
   */
  async complete(): Promise<boolean> {
    // Correlated, so that nothing is counted unless the model is filling; `case`, so that nothing is counted while documents
    // are pending.
    const { rows } = await sql`
      update embedding_models set state = 'complete'
      where key = ${this.key} and state = 'filling' and length is not null
        and case
          when exists (select from embeddings_due where model = embedding_models.key and reason is null) then false
          else (select count(*) from embeddings_due where model = embedding_models.key) <=
            (select count(*) from embeddings where model = embedding_models.key)
        end
      returning key`.execute(this.#db)
    await sql`
      update embedding_models set state = 'former' where key <> ${this.key} and state <> 'former'
        and exists (select from embedding_models where key = ${this.key} and state = 'complete')`.execute(
      this.#db,
    )
    return rows.length > 0
  }

  /** Removes the vectors of previous models in batches. A model that is configured again in the process is kept. */
  async removePrevious(stopped: AbortSignal): Promise<void> {
    const previous = (await this.all()).filter(({ state }) => state === 'former')
    for (const model of previous) {
      await dropVectorIndex(this.#db, model)
      while (!stopped.aborted && (await this.#removeSome(model)));
    }
  }

  #removeSome({ key }: StoredModel): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const { rows: locked } = await sql`
        select from embedding_models where key = ${key} and state = 'former' for update`.execute(transaction)
      if (locked.length === 0) return false
      const { rows: removed } = await sql`
        delete from embeddings where model = ${key} and id in (
          select id from embeddings where model = ${key} limit ${REMOVE_BATCH_SIZE}) returning 1`.execute(
        transaction,
      )
      if (removed.length === REMOVE_BATCH_SIZE) return true
      await sql`delete from embedding_models where key = ${key}`.execute(transaction)
      return false
    })
  }
}

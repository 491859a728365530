import { sql } from 'kysely'
import { preparation } from '#src/features/search/pgvector.ts'
import { type EmbeddingModel, MAX_DIMENSIONS } from '#src/platform/config/embeddings.ts'
import type { Db } from '#src/platform/database/database.ts'
import { EndpointFailure, wrongLength } from '#src/platform/models/endpoint-faults.ts'
import type { AnsweringModel, StoredModel } from './stored-model.ts'
import { createVectorIndex, dropVectorIndex } from './vector-index.ts'

const REMOVED_AT_ONCE = 1000

const fields = sql`key, name, dimensions, length, state`

/** The models that the database has vectors of, and which of them answers. */
export class EmbeddingModels {
  /**
   * Creates what the vectors need, when it is not there yet, and makes the configured model known.
   * @throws Unavailable without pgvector
   */
  readonly prepare: () => Promise<void>
  /** The key of the configured model. */
  readonly key: string
  readonly model: EmbeddingModel
  readonly #db: Db

  /**
   * @param textVersion of the text that is embedded; another one makes all vectors anew
   * @param onNew is called when a model is new, to note all documents as due
   */
  constructor(
    db: Db,
    model: EmbeddingModel,
    textVersion: number,
    onNew: (transaction: Db, model: string) => Promise<unknown>,
  ) {
    const { name, dimensions } = model
    this.key = `${name}${dimensions ? `, ${dimensions} dimensions` : ''}, text ${textVersion}`
    this.model = model
    this.#db = db
    this.prepare = preparation(db, async (transaction) => {
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
        insert into embedding_models (key, name, dimensions) values (${this.key}, ${name}, ${dimensions ?? null})
        on conflict (key) do update set state = 'filling' where embedding_models.state = 'former'
        returning key`.execute(transaction)
      if (rows.length > 0) await onNew(transaction, this.key)
    })
  }

  /** All models, the configured one first, then the latest. */
  async all(): Promise<StoredModel[]> {
    const { rows } = await sql<StoredModel>`
      select ${fields} from embedding_models order by key = ${this.key} desc, created_at desc`.execute(
      this.#db,
    )
    return rows
  }

  /** The configured model; undefined when another process, which is set to another model, has given it up. */
  async configured(): Promise<StoredModel | undefined> {
    const [first] = await this.all()
    return first?.key === this.key && first.state !== 'former' ? first : undefined
  }

  /** The model whose vectors answer: the configured one, or until that is complete the one before it. */
  async answering(): Promise<AnsweringModel | undefined> {
    const models = await this.all()
    return models.find(
      (model): model is AnsweringModel => model.state === 'complete' && model.length !== null,
    )
  }

  /**
   * Says how many numbers a model's vectors have, which is not known before the first one, and creates their index.
   * @throws EndpointFailure when its vectors have another number already, or too many
   */
  async setLength(model: StoredModel, length: number): Promise<StoredModel> {
    if (length > MAX_DIMENSIONS)
      throw new EndpointFailure(
        `The embedding model ${model.name} gives vectors of ${length} dimensions, and pgvector can index ${MAX_DIMENSIONS}; ` +
          'set EMBEDDINGS_DIMENSIONS to fewer, if it can make shorter ones, or EMBEDDINGS_MODEL to another model.',
      )
    const { rows } = await sql<StoredModel>`
      update embedding_models set length = coalesce(length, ${length}) where key = ${model.key}
      returning ${fields}`.execute(this.#db)
    const [updated = model] = rows
    if (updated.length !== length) throw wrongLength(model.name, length, updated.length ?? 0)
    await createVectorIndex(this.#db, updated)
    return updated
  }

  /** Notes why a model's vectors cannot be made now; null: they can. */
  async setFault({ key }: StoredModel, fault: string | null): Promise<void> {
    await sql`
      update embedding_models set fault = ${fault} where key = ${key} and fault is distinct from ${fault}`.execute(
      this.#db,
    )
  }

  /**
   * Says that the configured model answers from now on, once nothing is left to embed and not most have failed; all
   * others are given up.
   * @returns whether it answers since now
   */
  async complete(): Promise<boolean> {
    const { rows } = await sql`
      update embedding_models set state = 'complete'
      where key = ${this.key} and state = 'filling' and length is not null
        and not exists (select from embeddings_due where model = ${this.key} and reason is null)
        and (select count(*) from embeddings_due where model = ${this.key}) <=
          (select count(*) from embeddings where model = ${this.key})
      returning key`.execute(this.#db)
    await sql`
      update embedding_models set state = 'former' where key <> ${this.key} and state <> 'former'
        and exists (select from embedding_models where key = ${this.key} and state = 'complete')`.execute(
      this.#db,
    )
    return rows.length > 0
  }

  /** Removes what is left of models that have been given up, a part at a time; one that is wanted again meanwhile stays. */
  async removeFormer(): Promise<void> {
    const former = (await this.all()).filter(({ state }) => state === 'former')
    for (const model of former) {
      await dropVectorIndex(this.#db, model)
      while (await this.#removeSome(model));
    }
  }

  #removeSome({ key }: StoredModel): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const { rows: locked } = await sql`
        select from embedding_models where key = ${key} and state = 'former' for update`.execute(transaction)
      if (locked.length === 0) return false
      const { rows: removed } = await sql`
        delete from embeddings where model = ${key} and id in (
          select id from embeddings where model = ${key} limit ${REMOVED_AT_ONCE}) returning 1`.execute(
        transaction,
      )
      if (removed.length === REMOVED_AT_ONCE) return true
      await sql`delete from embedding_models where key = ${key}`.execute(transaction)
      return false
    })
  }
}

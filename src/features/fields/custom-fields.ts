import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#src/platform/database/database.ts'
import { utc } from '#src/platform/database/sql.ts'
import type { CustomFieldEntity } from './schema.ts'
import type { CustomFieldMap, DefinedField } from './values.ts'

/** A definition as the API shows it. */
export const definition = sql`id, entity, key, label, type, options, currency, required,
  archived_at is not null as archived, ${utc('updated_at')}`

/** All custom fields, oldest first. */
export async function readDefinitions(db: Db): Promise<DefinedField[]> {
  const { rows } = await sql<DefinedField>`
    select ${definition}, removed_options from fields where deleted_at is null order by id`.execute(db)
  return rows
}

type Definitions = Readonly<Record<CustomFieldEntity, CustomFieldMap>>

/** By version. Versions are random, so those of several databases differ. */
const known = new LRUCache<string, Definitions>({ max: 10 })

async function definitionsOf(db: Db, version: string): Promise<Definitions> {
  const cached = known.get(version)
  if (cached) return cached
  const fields = await readDefinitions(db)
  const of = (entity: CustomFieldEntity) =>
    new Map(fields.filter((field) => field.entity === entity).map((field) => [field.key, field]))
  const definitions = { company: of('company'), deal: of('deal'), person: of('person') }
  known.set(version, definitions)
  return definitions
}

const readVersion = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ version: string }>`select version from field_version`.execute(db)
  return rows[0]?.version
}

/** The custom fields of an entity by key, as they are now. Reads only their version if that is known. */
export async function readCustomFields(db: Db, entity: CustomFieldEntity): Promise<CustomFieldMap> {
  return (await definitionsOf(db, (await readVersion(db)) ?? ''))[entity]
}

/**
 * The definitions of custom fields in memory. `refresh` brings them up to date with the changes that any process has
 * committed; it is called every few hundred milliseconds, and after each change of this process.
 */
export class CustomFields {
  readonly #db: Db
  #version: string | undefined
  #definitions: Definitions = { company: new Map(), deal: new Map(), person: new Map() }

  constructor(db: Db) {
    this.#db = db
  }

  /** The custom fields of an entity by key, as of the last refresh. */
  of(entity: CustomFieldEntity): CustomFieldMap {
    return this.#definitions[entity]
  }

  async refresh(): Promise<void> {
    await this.#load(this.#db, await readVersion(this.#db))
  }

  /** The custom fields of an entity by key, which stay as they are until the transaction ends. */
  async lock(transaction: Db, entity: CustomFieldEntity): Promise<CustomFieldMap> {
    const { rows } = await sql<{ version: string }>`
      select version from field_version for share`.execute(transaction)
    return (await this.#load(transaction, rows[0]?.version))[entity]
  }

  async #load(db: Db, version: string | undefined): Promise<Definitions> {
    if (version === undefined || version === this.#version) return this.#definitions
    const definitions = await definitionsOf(db, version)
    this.#definitions = definitions
    this.#version = version
    return definitions
  }
}

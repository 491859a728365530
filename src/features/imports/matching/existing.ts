import { sql } from 'kysely'
import { lockCompanies, readCompaniesWhere, type StoredCompany } from '#src/features/companies/index.ts'
import { customValue } from '#src/features/fields/index.ts'
import { isMerged } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { evidenceOf } from './evidence.ts'
import type { FileCompanies } from './file-companies.ts'
import type { FileCompany } from './file-company.ts'
import type { Existing } from './resolve.ts'

/**
 * The query for the ids of rows with these names. Each name is looked up on its own: without statistics, which the
 * embedded database has late, the planner would read the whole table for a list of names.
 */
const named = (table: 'companies' | 'trash', names: readonly string[]) => sql`
  select found.id from unnest(${[...names]}::text[]) given cross join lateral (
    select id from ${sql.table(table)} where company_name_key(name) = company_name_key(given)
      ${table === 'trash' ? sql`and entity_type = 'company'` : sql``} offset 0) found`

/** Which existing companies to look for. */
export interface Wanted {
  names: readonly string[]
  ids: readonly string[]
  /** The values of the field that identifies companies. */
  keys: readonly string[]
  /** The key of that custom field. */
  identifyBy: string | undefined
}

async function idsOf(db: Db, { names, ids, keys, identifyBy }: Wanted): Promise<string[]> {
  const keyed = identifyBy !== undefined && keys.length > 0
  const { rows } = await sql<{ id: string }>`
    ${named('companies', names)} ${
      keyed
        ? sql`union select id from companies
            where ${customValue({ key: identifyBy, type: 'text' })} = any(${[...keys]})`
        : sql``
    }`.execute(db)
  return [...new Set([...rows.map(({ id }) => id), ...ids])]
}

/** The existing companies that companies of a file may be. */
export class ExistingCompanies {
  readonly #byId: Map<string, StoredCompany>
  readonly #byKey = new Map<string, StoredCompany>()
  readonly #byName = new Map<string, Existing[]>()
  readonly #identifyBy: string | undefined

  /** @param companies oldest first */
  constructor(companies: readonly StoredCompany[], identifyBy?: string) {
    this.#byId = new Map(companies.map((company) => [company.id, company]))
    this.#identifyBy = identifyBy
    for (const company of companies) {
      const evidence = evidenceOf(company)
      const namesakes = this.#byName.get(evidence.name)
      if (namesakes) namesakes.push({ company, evidence })
      else this.#byName.set(evidence.name, [{ company, evidence }])
      const key = this.#keyOf(company)
      if (key !== undefined && !this.#byKey.has(key)) this.#byKey.set(key, company)
    }
  }

  withId(id: string): StoredCompany | undefined {
    return this.#byId.get(id)
  }

  /** The companies with the name of this key, oldest first. */
  withName(key: string): StoredCompany[] {
    return (this.#byName.get(key) ?? []).map(({ company }) => company)
  }

  /** The company that a row names by its id or its key. */
  named({ id, key }: FileCompany): StoredCompany | undefined {
    const byId = id === undefined ? undefined : this.#byId.get(id)
    return byId ?? (key === undefined ? undefined : this.#byKey.get(key))
  }

  /** The companies with the name of a company of the file that no row of the file names, and that have no other key. */
  namesakesOf(company: FileCompany, file: FileCompanies): Existing[] {
    return (this.#byName.get(company.evidence.name) ?? []).filter(({ company: existing }) => {
      const key = this.#keyOf(existing)
      const isOther = company.key !== undefined && key !== undefined
      return !isOther && !file.names(existing.id, key)
    })
  }

  #keyOf({ custom }: StoredCompany): string | undefined {
    const value = this.#identifyBy === undefined ? undefined : custom?.[this.#identifyBy]
    return value === undefined || value === null ? undefined : String(value)
  }
}

/** The wanted companies, locked until the transaction ends. */
export const lockExisting = async (db: Db, wanted: Wanted): Promise<ExistingCompanies> =>
  new ExistingCompanies(await lockCompanies(db, withIds(await idsOf(db, wanted))), wanted.identifyBy)

/** The wanted companies. */
export const readExisting = async (db: Db, wanted: Wanted): Promise<ExistingCompanies> =>
  new ExistingCompanies(await readCompaniesWhere(db, withIds(await idsOf(db, wanted))), wanted.identifyBy)

const withIds = (ids: readonly string[]) => sql`companies.id = any(${[...ids]})`

/** Existing companies with these ids; locked until the transaction ends, unless it is a dry run. */
export async function findById(db: Db, ids: readonly string[], dryRun: boolean): Promise<ExistingCompanies> {
  const where = withIds(ids)
  if (ids.length === 0) return new ExistingCompanies([])
  return new ExistingCompanies(await (dryRun ? readCompaniesWhere(db, where) : lockCompanies(db, where)))
}

/** The ids of those companies into which others were merged. */
export async function findSurvivors(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select distinct company_id as id from trash where company_id = any(${[...ids]}) and ${isMerged}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** From this many names on, a website belongs to no company of its own. */
export const MAX_OWNERS = 3

export type WebsiteOwner = Pick<
  StoredCompany,
  'id' | 'name' | 'website' | 'country' | 'country_code' | 'hq_city'
>

/** Existing companies by the host of their website, up to `MAX_OWNERS` of each. */
export async function readWebsiteOwners(
  db: Db,
  hosts: readonly string[],
): Promise<Map<string, WebsiteOwner[]>> {
  const { rows } = await sql<WebsiteOwner & { host: string; place: string }>`
    select * from (
      select host, owner.*, row_number() over (partition by host order by id) as place
      from unnest(${[...hosts]}::text[]) host cross join lateral (
        select id, name, website, country, country_code, hq_city from companies
        where website_host(website) = host offset 0) owner) owners
    where place <= ${MAX_OWNERS}`.execute(db)
  const owners = new Map<string, WebsiteOwner[]>()
  for (const { host, place: _place, ...owner } of rows) owners.set(host, [...(owners.get(host) ?? []), owner])
  return owners
}

/** A company in the trash, or one that was merged into another. */
export interface TrashedCompany extends Existing {
  /** The company that it was merged into; null: it was deleted. */
  survivor: string | null
}

/** The companies in the trash with these names or ids. */
export async function readTrashed(
  db: Db,
  names: readonly string[],
  ids: readonly string[],
): Promise<TrashedCompany[]> {
  const { rows: found } = await sql<{ id: string }>`${named('trash', names)}`.execute(db)
  const wanted = [...new Set([...found.map(({ id }) => id), ...ids])]
  if (wanted.length === 0) return []
  const { rows } = await sql<{ survivor: string | null; record: StoredCompany }>`
    select case when ${isMerged} then company_id end as survivor, content -> 'record' as record from trash
    where entity_type = 'company' and not purging and id = any(${wanted}) order by id desc`.execute(db)
  return rows.map(({ survivor, record }) => ({ survivor, company: record, evidence: evidenceOf(record) }))
}

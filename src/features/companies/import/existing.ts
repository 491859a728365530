import { sql } from 'kysely'
import { lockCompanies, readCompaniesWhere, type StoredCompany } from '#src/features/companies/store.ts'
import { customValue } from '#src/features/custom-fields/store.ts'
import { isMerged } from '#src/features/trash/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { evidenceOf } from './evidence.ts'
import type { FileCompanies, FileCompany } from './file-companies.ts'
import type { Existing } from './resolve.ts'

const hasName = (names: readonly string[]) =>
  sql`company_name_key(name) = any(array(select company_name_key(given) from unnest(${[...names]}::text[]) given))`

/** Which existing companies to look for. */
export interface Wanted {
  names: readonly string[]
  ids: readonly string[]
  /** The values of the field that identifies companies. */
  keys: readonly string[]
  /** The key of that custom field. */
  identifyBy: string | undefined
}

const isWanted = ({ names, ids, keys, identifyBy }: Wanted) => {
  const conditions = [hasName(names)]
  if (ids.length > 0) conditions.push(sql`companies.id = any(${[...ids]})`)
  if (identifyBy !== undefined && keys.length > 0)
    conditions.push(sql`${customValue({ key: identifyBy, type: 'text' })} = any(${[...keys]})`)
  return sql`(${sql.join(conditions, sql` or `)})`
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
  new ExistingCompanies(await lockCompanies(db, isWanted(wanted)), wanted.identifyBy)

/** The wanted companies. */
export const readExisting = async (db: Db, wanted: Wanted): Promise<ExistingCompanies> =>
  new ExistingCompanies(await readCompaniesWhere(db, isWanted(wanted)), wanted.identifyBy)

/** Existing companies with these ids; locked until the transaction ends, unless it is a dry run. */
export async function findById(db: Db, ids: readonly string[], dryRun: boolean): Promise<ExistingCompanies> {
  const where = sql`companies.id = any(${[...ids]})`
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
  const { rows } = await sql<WebsiteOwner & { host: string }>`
    select host, owner.* from unnest(${[...hosts]}::text[]) host cross join lateral (
      select id, name, website, country, country_code, hq_city from companies
      where website_host(website) = host order by id limit ${MAX_OWNERS}) owner`.execute(db)
  const owners = new Map<string, WebsiteOwner[]>()
  for (const { host, ...owner } of rows) owners.set(host, [...(owners.get(host) ?? []), owner])
  return owners
}

/** A company in the trash, or one that was merged into another. */
export interface TrashedCompany extends Existing {
  /** The company that it was merged into; null: it was deleted. */
  survivor: string | null
}

/** Of one name. */
const MAX_TRASHED = 200

/** The companies in the trash with these names or ids. */
export async function readTrashed(
  db: Db,
  names: readonly string[],
  ids: readonly string[],
): Promise<TrashedCompany[]> {
  const record = sql`id, case when ${isMerged} then company_id end as survivor, content -> 'record' as record`
  const where = sql`entity_type = 'company' and not purging`
  // Each part uses its own index, also before the statistics know of a trash that has just been filled.
  const { rows } = await sql<{ survivor: string | null; record: StoredCompany }>`
    with named as materialized (select distinct company_name_key(given) as key from unnest(${[...names]}::text[]) given),
      found as (
        select found.* from named cross join lateral (
          select ${record} from trash where ${where} and company_name_key(name) = named.key limit ${MAX_TRASHED}) found
        union all
        select ${record} from trash where ${where} and id = any(${[...ids]}))
    select survivor, record from found order by id desc`.execute(db)
  return rows.map(({ survivor, record }) => ({ survivor, company: record, evidence: evidenceOf(record) }))
}

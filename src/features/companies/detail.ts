import { sql } from 'kysely'
import { activityPage } from '#src/features/activity/store.ts'
import { dealFields } from '#src/features/dealflow/store.ts'
import type { Json } from '#src/platform/answers.ts'
import type { Db } from '#src/platform/database.ts'
import { unavailable } from '#src/platform/errors.ts'
import type { CachingObjects } from '#src/platform/object-cache.ts'
import { profileKey } from '#src/platform/objects.ts'
import { asList, asRecord } from '#src/platform/sql.ts'
import { companyFields, readCompany } from './store.ts'

const RECENT_ACTIVITY = 10

/** A company with its deal, its latest activity and its enrichment profile, or undefined. */
export async function readCompanyDetail(
  db: Db,
  objects: CachingObjects,
  id: string,
): Promise<Json | undefined> {
  const deal = sql`select ${dealFields} from dealflow where company_id = ${id}
    order by (status = 'active') desc, id desc limit 1`
  const activity = activityPage([sql`company_id = ${id}`], { limit: RECENT_ACTIVITY, offset: 0 })
  const { rows } = await sql<{ company: Json | null; deal: Json | null; activity: Json }>`
    select (${asRecord(sql`select ${companyFields} from companies where id = ${id}`)}) as company,
      (${asRecord(deal)}) as deal, (${asList(activity)}) as activity`.execute(db)
  const row = rows[0]
  if (!row?.company) return undefined
  const company = `${row.company.slice(0, -1)},"enriched_data":${await readProfile(objects, id)}}`
  return `{"company":${company},"dealflow":${row.deal ?? 'null'},"recent_activity":${row.activity}}`
}

/** A company with its enrichment profile, or undefined. */
export async function readEnrichedCompany(
  db: Db,
  objects: CachingObjects,
  id: string,
): Promise<Json | undefined> {
  const company = await readCompany(db, id)
  return company && `${company.slice(0, -1)},"enriched_data":${await readProfile(objects, id)}}`
}

/**
 * The company's enrichment profile as JSON, or `null` when it has none.
 * @throws HttpError 503 when the object store is out of reach or what it holds is not JSON
 */
async function readProfile(objects: CachingObjects, id: string): Promise<Json> {
  try {
    const key = profileKey(id)
    const profile = await objects.cached(key)
    const bytes = profile && (profile.body ?? (await objects.read(key)))
    return bytes ? JSON.stringify(JSON.parse(bytes.toString('utf8'))) : 'null'
  } catch (error) {
    if (error instanceof SyntaxError)
      throw unavailable(`The enrichment profile of ${id} in object storage is not valid JSON.`, error)
    throw unavailable('The object storage that holds enrichment profiles cannot be read.', error)
  }
}

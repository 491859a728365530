import { sql } from 'kysely'
import { activityPage, readPast, recordAt } from '#src/features/activity/store.ts'
import { dealFields } from '#src/features/dealflow/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { asList, type Json } from '#src/platform/database/sql.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { RECENT_ACTIVITY } from './detail.ts'
import { MAX_DEALS_IN_DETAIL } from './detail-schema.ts'
import { companyFields } from './store.ts'

interface Dated {
  id: string
  created_at: string
}

interface PresentDetail {
  company: (Dated & { name: string }) | null
  deals: (Dated & { status: string })[]
  activity: Json
}

/**
 * A company with its deals as they were at a time; undefined if it did not exist then, or was in the trash. Deals that
 * are in the trash now are left out. Profiles have no history.
 * @throws InvalidInput for a time in the future
 */
export async function readCompanyAt(db: Db, id: string, time: string): Promise<Json | undefined> {
  if (Date.parse(time) > Date.now())
    throw new InvalidInput('as_of must not be in the future: the history ends now.')
  const { company, deals, activity } = await readPresent(db, id, time)
  if (!company) return undefined
  const past = await readPast(db, [id, ...deals.map((deal) => deal.id)], time)
  const formerCompany = recordAt(company, past.get(id), time)
  if (!formerCompany) return undefined
  const formerDeals = deals.flatMap((deal) => {
    const former = recordAt(deal, past.get(deal.id), time)
    return former ? [{ ...former, company_name: formerCompany.name }] : []
  })
  const latest = formerDeals.find(({ status }) => status === 'active') ?? formerDeals[0] ?? null
  const shown = { ...formerCompany, enriched_data: null, enriched_data_error: null }
  return `{"company":${JSON.stringify(shown)},"dealflow":${JSON.stringify(latest)},"deals":${JSON.stringify(formerDeals)},"recent_activity":${activity}}`
}

async function readPresent(db: Db, id: string, time: string): Promise<PresentDetail> {
  const until = [sql`company_id = ${id}`, sql`"timestamp" <= ${time}::timestamptz`]
  const page = { limit: RECENT_ACTIVITY, offset: 0 }
  const { rows } = await sql<PresentDetail>`
    select (select row_to_json(company) from (select ${companyFields} from companies where id = ${id}) company) as company,
      (select coalesce(json_agg(deal), '[]') from (
        select ${dealFields} from dealflow where company_id = ${id}
        order by id desc limit ${MAX_DEALS_IN_DETAIL}) deal) as deals,
      (${asList(activityPage(until, page))}) as activity`.execute(db)
  return rows[0] as PresentDetail
}

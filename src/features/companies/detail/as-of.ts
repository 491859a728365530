import { sql } from 'kysely'
import { companyActivityPage, readPast, recordAt, requirePast } from '#src/features/activity/index.ts'
import { readContactsAt } from '#src/features/contacts/index.ts'
import { dealFields, nameSources, type Source } from '#src/features/deals/index.ts'
import type { CustomValues } from '#src/features/fields/index.ts'
import { withCustomValues } from '#src/features/fields/index.ts'
import { mergedInto } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Json, jsonArray, utcText } from '#src/platform/database/sql.ts'
import { NotFound } from '#src/platform/errors.ts'
import type { Company } from '../schema.ts'
import { companyFields } from '../store.ts'
import { RECENT_ACTIVITY } from './detail.ts'
import { MAX_DEALS_IN_DETAIL } from './detail-schema.ts'

/** Reads what a company showed of its latest decision at a time. */
export type LatestDecisionAt = (
  db: Db,
  company_id: string,
  time: string,
) => Promise<Pick<Company, 'decision_outcome' | 'revisit_on'>>

interface Dated {
  id: string
  custom: CustomValues
  created_at: string
}

interface PreviousDeal extends Dated, Source {
  source_name: string | null
  company_id: string
  status: string
  stage_entered_at: string
}

interface PresentDetail {
  company: (Dated & { name: string }) | null
  deals: PreviousDeal[]
  activity: Json
}

/**
 * A company with its deals as they were at a time; undefined if it does not exist now. Deals that are in the trash now
 * are left out. Profiles have no history.
 * @throws InvalidInput for a time in the future, NotFound if the company did not exist then, or was in the trash
 */
export async function readCompanyAt(
  db: Db,
  latestDecisionAt: LatestDecisionAt,
  id: string,
  time: string,
): Promise<Json | undefined> {
  requirePast(time)
  const { company, deals, activity } = await readPresent(db, id, time)
  if (!company) return undefined
  const past = await readPast(db, [id, ...deals.map((deal) => deal.id)], time)
  const previousCompany = recordAt(company, past.get(id), time)
  if (!previousCompany)
    throw new NotFound(
      Date.parse(company.created_at) > Date.parse(time)
        ? `The company ${id} did not exist at ${time}: it was created at ${company.created_at}.`
        : `At ${time}, the company ${id} was in the trash or merged into another company. It has since been restored.`,
    )
  const previousDeals = deals.flatMap((deal) => {
    const previous = recordAt(deal, past.get(deal.id), time)
    return previous?.company_id === id
      ? [{ ...withCustomValues(previous, deal.custom), company_name: previousCompany.name, next_step: null }]
      : []
  })
  await putBackStageTimes(db, previousDeals, time)
  await nameSources(db, previousDeals)
  const latest = previousDeals.find(({ status }) => status === 'active') ?? previousDeals[0] ?? null
  const shown = {
    ...withCustomValues(previousCompany, company.custom),
    ...(await latestDecisionAt(db, id, time)),
    ...(await readContactsAt(db, 'company', id, time)),
    next_step: null,
    enriched_data: null,
    enriched_data_error: null,
  }
  return `{"company":${JSON.stringify(shown)},"dealflow":${JSON.stringify(latest)},"deals":${JSON.stringify(previousDeals)},"recent_activity":${activity}}`
}

/** The time a deal entered its stage is not a value of its own: it is the time of the last change of the stage. */
async function putBackStageTimes(db: Db, deals: PreviousDeal[], time: string): Promise<void> {
  if (deals.length === 0) return
  const { rows } = await sql<{ id: string; entered: string }>`
    select entity_id as id, ${utcText(sql`max("timestamp")`)} as entered
    from activity where entity_id = any(${deals.map(({ id }) => id)})
      and activity_type = 'dealflow_stage_changed' and "timestamp" <= ${time}::timestamptz
    group by entity_id`.execute(db)
  const entered = new Map(rows.map((row) => [row.id, row.entered]))
  for (const deal of deals) deal.stage_entered_at = entered.get(deal.id) ?? deal.created_at
}

async function readPresent(db: Db, id: string, time: string): Promise<PresentDetail> {
  const until = [sql`"timestamp" <= ${time}::timestamptz`]
  const merged = sql`select id from (${mergedInto(sql`${id}`)}) part join trash using (id)
    where trash.deleted_at <= ${time}::timestamptz`
  const companies = sql`array[${id}::text] || array(${merged})`
  // Deals that have left with a company that was split off were once this one's.
  const isOwn = sql`id in (select own.id from dealflow own where own.company_id = ${id}
    union select entity_id from activity where activity.company_id = ${id} and entity_type = 'dealflow')`
  const { rows } = await sql<PresentDetail>`
    select (select row_to_json(company) from (select ${companyFields} from companies where id = ${id}) company) as company,
      (select coalesce(json_agg(deal), '[]') from (
        select ${dealFields} from dealflow where ${isOwn}
        order by id desc limit ${MAX_DEALS_IN_DETAIL}) deal) as deals,
      (${jsonArray(companyActivityPage(companies, until, RECENT_ACTIVITY))}) as activity`.execute(db)
  return rows[0] as PresentDetail
}

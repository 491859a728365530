import type { FastifyBaseLogger } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { companyActivityPage } from '#src/features/activity/index.ts'
import { dealFields } from '#src/features/deals/index.ts'
import { mergedInto } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { jsonArray, jsonObject, preparedQuery } from '#src/platform/database/sql.ts'
import type { CachingObjects } from '#src/platform/objects/cache.ts'
import { companyFields } from '../store.ts'
import { MAX_DEALS_IN_DETAIL } from './detail-schema.ts'
import { type ProfileInDetail, readProfile } from './read-profile.ts'

export const RECENT_ACTIVITY = 10

interface DetailRow {
  company: Json | null
  deal: Json | null
  deals: Json
  activity: Json
  /** The companies that are part of this one. */
  merged: string[]
}

function detailOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  const deals = sql`select ${dealFields} from dealflow where company_id = ${id}`
  const latestDeal = sql`select * from deals order by (status = 'active') desc, id desc limit 1`
  const newestDeals = sql`select * from deals order by id desc limit ${MAX_DEALS_IN_DETAIL}`
  const companies = sql`array[${id}::text] || (select ids from merged)`
  const activity = companyActivityPage(companies, [], RECENT_ACTIVITY)
  return sql`
    with deals as materialized (${deals}),
      merged as materialized (select array(${mergedInto(id)}) as ids)
    select (${jsonObject(sql`select ${companyFields} from companies where companies.id = ${id}`)}) as company,
      (${jsonObject(latestDeal)}) as deal, (${jsonArray(newestDeals)}) as deals, (${jsonArray(activity)}) as activity,
      (select ids from merged) as merged`
}

const readRow = preparedQuery<{ id: string }, DetailRow>(({ id }) => detailOf(sql`${id}::text`))

/** A company with its deals, recent activity, and enrichment profile, as JSON; undefined if there is none. */
export async function readDetail(
  { db, objects, log }: { db: Db; objects: CachingObjects; log: FastifyBaseLogger },
  id: string,
): Promise<Json | undefined> {
  const [row] = await readRow(db, { id })
  if (!row?.company) return undefined
  const company = withProfile(row.company, await readProfile(objects, [id, ...row.merged], log))
  return `{"company":${company},"dealflow":${row.deal ?? 'null'},"deals":${row.deals},"recent_activity":${row.activity}}`
}

/** Adds the profile to the company's JSON. */
const withProfile = (company: Json, { enriched_data, enriched_data_error }: ProfileInDetail): Json =>
  `${company.slice(0, -1)},"enriched_data":${enriched_data},"enriched_data_error":${JSON.stringify(enriched_data_error)}}`

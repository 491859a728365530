import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { isOneOf, type JsonPage, readPage } from '#src/platform/database/sql.ts'
import { type FilterCaller, filterConditions, sortOrder } from '#src/platform/filter/query.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import { decisionSearchFields } from './fields.ts'
import type { DecisionFilters, DecisionQuery } from './schema.ts'
import { decisionFields } from './store.ts'

/** @throws InvalidInput for a filter, or a field to sort by, that is wrong */
export async function listDecisions(
  db: Db,
  caller: FilterCaller,
  { sort, limit, offset, ...filters }: DecisionQuery,
): Promise<JsonPage> {
  const where = await decisionConditions(caller, filters)
  const order =
    sortOrder(sort, decisionSearchFields) ?? sql`order by decided_at desc nulls first, decisions.id desc`
  return readPage(db, { table: 'decisions', fields: decisionFields, where, order }, pageOf({ limit, offset }))
}

/** The conditions of a list and of an export. @throws InvalidInput for a filter that is wrong */
export async function decisionConditions(
  caller: FilterCaller,
  { company_id, deal_id, outcome, reason, asked, author_email, open, filter }: DecisionFilters,
): Promise<RawBuilder<unknown>[]> {
  const where = await filterConditions(filter, decisionSearchFields, caller)
  if (company_id) where.push(isOneOf('company_id', company_id))
  if (deal_id) where.push(isOneOf('deal_id', deal_id))
  if (outcome) where.push(isOneOf('outcome', outcome))
  if (reason) where.push(sql`reasons && ${[reason].flat()}::text[]`)
  if (asked) where.push(sql`asked && ${[asked].flat()}::text[]`)
  if (author_email) where.push(isOneOf('author_email', author_email))
  if (open !== undefined) where.push(open ? sql`outcome is null` : sql`outcome is not null`)
  return where
}

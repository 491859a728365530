import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import {
  applyPatch,
  type CompanyPatch,
  companyProperties,
  companyUpdate,
  isCompanyId,
  profileKey,
  readCompanies,
  readCompany,
  type StoredCompany,
  sourceKey,
  updateCompanies,
} from '#src/features/companies/index.ts'
import { orTrashed, unknownCompanies } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { orNotFound } from '#src/platform/errors.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { withTimeout } from '#src/platform/process/with-timeout.ts'
import { joinCompanies, lockCompaniesForMerge } from './company-records.ts'
import { type MergeRules, mergeFields } from './fields.ts'
import type { MergeBody, Merged, Moved } from './schema.ts'
import { inMerge, othersIn } from './transaction.ts'

export const COMPANY_RULES: MergeRules = {
  one: 'company',
  several: 'companies',
  properties: companyProperties,
  companions: { llm_score_details: 'llm_score_overall' },
  leavesOut: false,
}

const FILES_TIMEOUT_MS = 3000

export interface MergeParts {
  db: Db
  objects: Objects
}

/**
 * Merges companies into one, or shows what that would do.
 * @param id the survivor
 * @returns JSON of `Merged`
 * @throws NotFound if the survivor does not exist or is in the trash, Moved if it is part of another company, InvalidInput
 *   for companies and fields that cannot be merged
 */
export async function mergeCompanies(
  { db, objects }: MergeParts,
  action: Action,
  id: string,
  { from, choose = {}, dry_run = false }: MergeBody,
): Promise<string> {
  const merged = othersIn(COMPANY_RULES, id, from)
  const files = await countFiles(objects, merged)
  return inMerge(db, dry_run, async (transaction) => {
    const companies = await lockMerged(transaction, id, merged)
    const { fields, conflicts } = mergeFields<CompanyPatch>(COMPANY_RULES, companies, choose)
    const moved = { ...(await move(transaction, action, id, merged)), files }
    await writeFields(transaction, action, companies[0] as StoredCompany, fields)
    const company = orNotFound(await readCompany(transaction, id), 'company', id)
    const parts: Omit<Merged, 'company'> = { action_id: dry_run ? null : action.id, conflicts, moved }
    return `{"company":${company},${JSON.stringify(parts).slice(1)}`
  })
}

/** The companies, the survivor first, locked until the transaction ends. */
async function lockMerged(transaction: Db, id: string, from: string[]): Promise<StoredCompany[]> {
  const existing = await lockCompaniesForMerge(transaction, [id, ...from])
  await orTrashed(transaction, existing.has(id) || undefined, 'company', id)
  const missing = from.filter((other) => !existing.has(other))
  if (missing.length > 0) throw await unknownCompanies(transaction, 'from must be ids of companies', missing)
  const companies = await readCompanies(transaction, [id, ...from])
  const byId = new Map(companies.map((company) => [company.id, company]))
  return [id, ...from].map((one) => byId.get(one) as StoredCompany)
}

async function move(
  transaction: Db,
  action: Action,
  id: string,
  from: string[],
): Promise<Omit<Moved, 'files'>> {
  const { rows } = await sql<{ activity: number }>`
    select count(*)::int as activity from activity where company_id = any(${from})`.execute(transaction)
  const { deals, decisions, ...counts } = await joinCompanies(transaction, action, id, from)
  return {
    ...{ deals: deals.length, decisions: decisions.length },
    ...{ activity: rows[0]?.activity ?? 0, ...counts },
  }
}

async function writeFields(
  transaction: Db,
  action: Action,
  before: StoredCompany,
  fields: CompanyPatch,
): Promise<void> {
  const { company, changed } = applyPatch(before, fields)
  if (changed.length === 0) return
  await updateCompanies([company]).execute(transaction)
  await recordAction(transaction, action, [companyUpdate(before, company, changed)])
}

/** The number of the companies' files; null if object storage cannot be read. */
async function countFiles(objects: Objects, ids: string[]): Promise<number | null> {
  const keys = ids.filter(isCompanyId).flatMap((id) => [profileKey(id), sourceKey(id)])
  const descriptions = Promise.all(keys.map((key) => objects.describe(key)))
  const files = await withTimeout(FILES_TIMEOUT_MS, descriptions).catch(() => null)
  return files?.filter((file) => file !== null).length ?? null
}

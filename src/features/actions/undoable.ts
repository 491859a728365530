import { type QueryResult, sql } from 'kysely'
import { changesOf, recordAction } from '#src/features/activity/index.ts'
import {
  applyPatch,
  companyUpdate,
  lockCompanies,
  type StoredCompany,
  updateCompanies,
} from '#src/features/companies/index.ts'
import { storedDealFields, updateActivity } from '#src/features/deals/index.ts'
import type { CustomValues } from '#src/features/fields/index.ts'
import { withCustomNames, withCustomValues } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter, utc } from '#src/platform/database/sql.ts'
import { findDeletedFields, findForbiddenValues } from './custom-values.ts'
import { removeCompanies, returnCompanies } from './merge/undo.ts'
import { lockCodes, restoreDeals, restoreThesis } from './restore-records.ts'
import { trashDeals, trashThesis } from './trash-records.ts'
import type { Obstacle, Undoable } from './undo-records.ts'

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id)

interface StoredThesis {
  id: string
  updated_at: string
}

interface StoredDeal extends StoredThesis {
  company_id: string
}

const theses: Undoable<StoredThesis> = {
  entity_type: 'thesis',
  prefix: 'th',
  lock: async (transaction, ids) => {
    const { rows } = await sql<StoredThesis>`
      select id, code, title, summary, report_markdown, status, criteria, ${utc('updated_at')} from theses
      where id = any(${ids}) order by id for no key update`.execute(transaction)
    return rows
  },
  findObstacles: (transaction, former) =>
    findPresent(former, 'code', 'code_taken', async (codes) => {
      await lockCodes(transaction)
      return sql`select code as value from theses where code = any(${codes})`.execute(transaction)
    }),
  write: async (transaction, action, changed) => {
    for (const { before, values } of changed) {
      const timestamp = timeAfter(before.updated_at)
      await setFields(transaction, 'theses', before.id, values, timestamp)
      const fields = Object.keys(values)
      await recordAction(transaction, action, [
        {
          activity_type: 'thesis_updated',
          entity_type: 'thesis',
          entity_id: before.id,
          metadata: { fields },
          changes: changesOf(before, values, fields),
          timestamp,
        },
      ])
    }
  },
  remove: async (transaction, action, records) => {
    for (const { id } of records) await trashThesis(transaction, action, id)
    return { removed: idsOf(records), refused: [] }
  },
  restore: async (transaction, action, records) => {
    const all = []
    for (const { id } of records) all.push(await restoreThesis(transaction, action, id))
    return {
      restored: all.flatMap(({ restored }) => restored),
      refused: all.flatMap(({ refused }) => refused),
    }
  },
}

const companies: Undoable<Omit<StoredCompany, 'custom'>> = {
  entity_type: 'company',
  prefix: 'cmp',
  lock: async (transaction, ids) =>
    (await lockCompanies(transaction, sql`companies.id = any(${ids})`)).map(withCustomNames),
  findDeletedFields: (transaction, fields) => findDeletedFields(transaction, 'company', fields),
  findObstacles: async (transaction, former) => {
    const forbidden = await findForbiddenValues(transaction, 'company', former)
    const given = givenIds(former, 'thesis_id')
    const { rows } = await sql<{ id: string }>`
      select id from theses where id = any(${given.map(({ value }) => value)}) for key share`.execute(
      transaction,
    )
    return [...forbidden, ...lacking(given, 'thesis_id', rows, 'thesis_missing')]
  },
  write: async (transaction, action, changed) => {
    const updates = changed.map((change) => {
      const before: StoredCompany = withCustomValues(change.before)
      return { before, ...applyPatch(before, withCustomValues(change.values, before.custom)) }
    })
    await updateCompanies(updates.map(({ company }) => company)).execute(transaction)
    await recordAction(
      transaction,
      action,
      updates.map(({ before, company, changed: fields }) => companyUpdate(before, company, fields)),
    )
  },
  remove: removeCompanies,
  restore: returnCompanies,
}

const deals: Undoable<StoredDeal> = {
  entity_type: 'dealflow',
  prefix: 'df',
  lock: async (transaction, ids) => {
    const { rows } = await sql<StoredDeal & { custom: CustomValues }>`
      select id, company_id, ${storedDealFields}, ${utc('updated_at')} from dealflow
      where id = any(${ids}) order by id for no key update`.execute(transaction)
    return rows.map(withCustomNames)
  },
  findDeletedFields: (transaction, fields) => findDeletedFields(transaction, 'deal', fields),
  findObstacles: async (transaction, former) => {
    const forbidden = await findForbiddenValues(transaction, 'deal', former)
    const given = givenIds(former, 'company_id')
    const { rows } = await sql<{ id: string }>`
      select id from companies where id = any(${given.map(({ value }) => value)}) for key share`.execute(
      transaction,
    )
    return [...forbidden, ...lacking(given, 'company_id', rows, 'company_missing')]
  },
  write: async (transaction, action, changed) => {
    for (const { before, values } of changed) {
      const timestamp = timeAfter(before.updated_at)
      const { custom, ...others } = withCustomValues(values, withCustomValues(before).custom)
      const written = { ...others, custom: JSON.stringify(custom) }
      await setFields(transaction, 'dealflow', before.id, written, timestamp)
      const changes = changesOf(before, values, Object.keys(values))
      await recordAction(transaction, action, updateActivity(before, changes, timestamp))
    }
  },
  remove: async (transaction, action, records) => ({
    removed: await trashDeals(transaction, action, idsOf(records)),
    refused: [],
  }),
  restore: (transaction, action, records) => restoreDeals(transaction, action, idsOf(records)),
}

/** What an undo goes through, in this order: companies refer to theses, and deals to companies. */
export const UNDOABLE: readonly Undoable[] = [theses, companies, deals] as unknown as Undoable[]

async function setFields(
  transaction: Db,
  table: 'theses' | 'dealflow',
  id: string,
  values: Record<string, unknown>,
  updated_at: string,
): Promise<void> {
  // The driver would turn an array into one of PostgreSQL's.
  const columns = Object.entries(values).map(([field, value]) => [
    field,
    Array.isArray(value) ? JSON.stringify(value) : value,
  ])
  await transaction
    .updateTable(table)
    .set({ ...Object.fromEntries(columns), updated_at: new Date(updated_at) })
    .where('id', '=', id)
    .execute()
}

interface GivenId {
  id: string
  /** The id of the record that it refers to. */
  value: string
}

/** The former values of a reference. */
const givenIds = (former: Map<string, Record<string, unknown>>, field: string): GivenId[] =>
  [...former].flatMap(([id, values]) => {
    const value = values[field]
    return typeof value === 'string' ? [{ id, value }] : []
  })

/** The references to records that are not among the existing ones. */
function lacking(
  given: readonly GivenId[],
  field: string,
  existing: readonly { id: string }[],
  reason: Obstacle['reason'],
): Obstacle[] {
  const ids = new Set(idsOf(existing))
  return given.filter(({ value }) => !ids.has(value)).map(({ id }) => ({ id, field, reason }))
}

/** The former values of a unique field that another record has now. */
async function findPresent(
  former: Map<string, Record<string, unknown>>,
  field: string,
  reason: Obstacle['reason'],
  lookUp: (values: unknown[]) => Promise<QueryResult<unknown>>,
): Promise<Obstacle[]> {
  const given = [...former].filter(([_id, values]) => field in values)
  if (given.length === 0) return []
  const { rows } = (await lookUp(given.map(([_id, values]) => values[field]))) as {
    rows: { value: unknown }[]
  }
  const taken = new Set(rows.map(({ value }) => value))
  return given.filter(([_id, values]) => taken.has(values[field])).map(([id]) => ({ id, field, reason }))
}

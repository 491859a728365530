import { sql } from 'kysely'
import { changesOf, recordAction } from '#src/features/activity/store.ts'
import {
  applyPatch,
  companyUpdate,
  lockCompanies,
  type StoredCompany,
  updateCompanies,
} from '#src/features/companies/store.ts'
import { updateActivity } from '#src/features/dealflow/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter, utc } from '#src/platform/database/sql.ts'
import { restoreCompanies, restoreDeals, restoreThesis } from './restore-records.ts'
import { trashCompanies, trashDeals, trashThesis } from './trash-records.ts'
import type { Obstacle, Undoable } from './undo-records.ts'

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
      select id, code, title, summary, report_markdown, status, ${utc('updated_at')} from theses
      where id = any(${ids}) order by id for no key update`.execute(transaction)
    return rows
  },
  findObstacles: (transaction, former) =>
    findPresent(
      transaction,
      former,
      'code',
      'code_taken',
      (codes) => sql`
      select code as value from theses where code = any(${codes})`,
    ),
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
  trash: async (transaction, action, ids) => {
    for (const id of ids) await trashThesis(transaction, action, id)
  },
  restore: async (transaction, action, ids) => {
    const all = []
    for (const id of ids) all.push(await restoreThesis(transaction, action, id))
    return {
      restored: all.flatMap(({ restored }) => restored),
      refused: all.flatMap(({ refused }) => refused),
    }
  },
}

const companies: Undoable<StoredCompany> = {
  entity_type: 'company',
  prefix: 'cmp',
  lock: (transaction, ids) => lockCompanies(transaction, sql`companies.id = any(${ids})`),
  findObstacles: async (transaction, former) => {
    const given = [...former].flatMap(([id, { thesis_id }]) =>
      typeof thesis_id === 'string' ? [{ id, thesis_id }] : [],
    )
    if (given.length === 0) return []
    const { rows } = await sql<{ id: string }>`
      select id from theses where id = any(${given.map(({ thesis_id }) => thesis_id)}) for key share`.execute(
      transaction,
    )
    const existing = new Set(rows.map(({ id }) => id))
    return given
      .filter(({ thesis_id }) => !existing.has(thesis_id))
      .map(({ id }) => ({ id, field: 'thesis_id', reason: 'thesis_missing' }))
  },
  write: async (transaction, action, changed) => {
    const updates = changed.map(({ before, values }) => ({ before, ...applyPatch(before, values) }))
    await updateCompanies(updates.map(({ company }) => company)).execute(transaction)
    await recordAction(
      transaction,
      action,
      updates.map(({ before, company, changed: fields }) => companyUpdate(before, company, fields)),
    )
  },
  trash: trashCompanies,
  restore: restoreCompanies,
}

const deals: Undoable<StoredDeal> = {
  entity_type: 'dealflow',
  prefix: 'df',
  lock: async (transaction, ids) => {
    const { rows } = await sql<StoredDeal>`
      select id, company_id, stage, probability, notes, status, ${utc('updated_at')} from dealflow
      where id = any(${ids}) order by id for no key update`.execute(transaction)
    return rows
  },
  findObstacles: async () => [],
  write: async (transaction, action, changed) => {
    for (const { before, values } of changed) {
      const timestamp = timeAfter(before.updated_at)
      await setFields(transaction, 'dealflow', before.id, values, timestamp)
      const changes = changesOf(before, values, Object.keys(values))
      await recordAction(transaction, action, updateActivity(before, changes, timestamp))
    }
  },
  trash: trashDeals,
  restore: restoreDeals,
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
  await transaction
    .updateTable(table)
    .set({ ...values, updated_at: new Date(updated_at) })
    .where('id', '=', id)
    .execute()
}

/** The former values of a unique field that another record has now. */
async function findPresent(
  transaction: Db,
  former: Map<string, Record<string, unknown>>,
  field: string,
  reason: Obstacle['reason'],
  lookUp: (values: unknown[]) => ReturnType<typeof sql>,
): Promise<Obstacle[]> {
  const given = [...former].filter(([_id, values]) => field in values)
  if (given.length === 0) return []
  const { rows } = (await lookUp(given.map(([_id, values]) => values[field])).execute(transaction)) as {
    rows: { value: unknown }[]
  }
  const taken = new Set(rows.map(({ value }) => value))
  return given.filter(([_id, values]) => taken.has(values[field])).map(([id]) => ({ id, field, reason }))
}

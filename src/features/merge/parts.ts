import { type RawBuilder, sql } from 'kysely'
import type { Action } from '#src/features/activity/index.ts'
import { copyToTrash, isMerged, RECORD_NAMES, type Refusal } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'

/** The kinds of records that can be merged. */
export type MergedType = 'company' | 'person'

const TABLES = { company: 'companies', person: 'people' } as const

/** Stores locked records in the trash as parts of the survivor, with the parts that they have. */
export async function storeParts(
  transaction: Db,
  action: Action,
  entity_type: MergedType,
  { survivor, from, attached }: { survivor: string; from: string[]; attached?: RawBuilder<unknown> },
): Promise<void> {
  const table = TABLES[entity_type]
  await copyToTrash(transaction, action, table, sql`id = any(${from})`, {
    entity_type,
    name: sql`name`,
    company_id: sql`${survivor}::text`,
    parent_id: sql`${survivor}::text`,
    ...(attached && { attached }),
  })
  await sql`
    update trash set company_id = ${survivor} where company_id = any(${from}) and ${isMerged}`.execute(
    transaction,
  )
}

/** A record that is part of another one. */
export interface Part {
  id: string
  /** The action that merged it. */
  action_id: string
}

/** Locks those of the records that were merged into this one and still are part of it. */
export async function lockParts(transaction: Db, survivor: string, ids: string[]): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select id, action_id from trash
    where id = any(${ids}) and ${isMerged} and parent_id = ${survivor} and not purging
    order by id for update`.execute(transaction)
  return rows
}

/** The refusals for records whose survivor no longer exists. */
export const withoutSurvivor = (entity_type: MergedType, survivor: string, ids: string[]): Refusal[] =>
  ids.map((id) => ({
    id,
    reason: 'survivor_missing',
    detail: `The ${RECORD_NAMES[entity_type]} ${survivor}, which it belongs to, is in the trash or merged.`,
  }))

/** Records that had been merged into those that return are part of them again. */
export async function returnBranches(transaction: Db, ids: string[], survivor: string): Promise<void> {
  await sql`
    with recursive branch(id, top) as (
      select id, id from trash where id = any(${ids})
      union all
      select trash.id, branch.top from trash join branch on trash.parent_id = branch.id
        where trash.company_id = ${survivor} and ${isMerged})
    update trash set company_id = branch.top from branch
    where trash.id = branch.id and branch.id <> branch.top`.execute(transaction)
}

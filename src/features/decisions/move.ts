import { sql } from 'kysely'
import { type Action, recordAction } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { rowsFrom } from '#src/platform/database/rows.ts'
import { laterThan, utc } from '#src/platform/database/sql.ts'
import { decisionActivity } from './write-changes.ts'

/** A decision that another company gets. */
interface DecisionMove {
  decision_id: string
  from_id: string
  to_id: string
}

/**
 * Gives locked decisions to other companies, which are locked too, and records it. Those that were just restored may have the
 * new company already.
 * @returns the ids of the moved decisions
 */
export async function moveDecisions(
  transaction: Db,
  action: Action,
  moves: readonly DecisionMove[],
): Promise<string[]> {
  if (moves.length === 0) return []
  const columns = { decision_id: 'text', from_id: 'text', to_id: 'text' } as const
  const { rows } = await sql<DecisionMove & { updated_at: string }>`
    with moved as (
      update decisions set company_id = to_id, updated_at = ${laterThan('decisions.updated_at')}
      from ${rowsFrom(
        'move',
        columns,
        moves.map((move) => ({ ...move })),
      )}
      where decisions.id = decision_id
      returning decision_id, from_id, to_id, decisions.updated_at)
    select decision_id, from_id, to_id, ${utc('updated_at')} from moved order by decision_id`.execute(
    transaction,
  )
  await recordAction(
    transaction,
    action,
    rows.map(({ decision_id, from_id, to_id, updated_at }) => ({
      ...decisionActivity('decision_updated', { id: decision_id, company_id: to_id }),
      metadata: { fields: ['company_id'] },
      changes: { company_id: { from: from_id, to: to_id } },
      timestamp: updated_at,
    })),
  )
  return rows.map(({ decision_id }) => decision_id)
}

/** Gives all decisions of locked companies to another locked one. @returns their ids */
export async function moveDecisionsOf(
  transaction: Db,
  action: Action,
  { from, to }: { from: string[]; to: string },
): Promise<string[]> {
  const { rows } = await sql<DecisionMove>`
    select id as decision_id, company_id as from_id, ${to}::text as to_id from decisions
    where company_id = any(${from}) order by id for update`.execute(transaction)
  return moveDecisions(transaction, action, rows)
}

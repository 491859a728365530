import { sql } from 'kysely'
import { unknownCompanies, unknownRecords } from '#src/features/trash/index.ts'
import { requireUsers } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { localDay } from '#src/platform/schema/time-zone.ts'
import { requireReasons } from './reasons.ts'
import { type DecisionPatch, MAX_BODY_BYTES } from './schema.ts'
import type { StoredDecision } from './store.ts'

/**
 * Locks the company that a decision is to be about.
 * @throws InvalidInput if there is none, or it is in the trash
 */
export async function lockCompany(transaction: Db, id: string): Promise<void> {
  const { rows } = await sql`select from companies where id = ${id} for no key update`.execute(transaction)
  if (rows.length === 0)
    throw await unknownCompanies(transaction, 'company_id must be the id of a company', [id])
}

/**
 * The new values of a decision, checked and as they are stored.
 * @param before the decision, whose company and row are locked; of a new one, its defaults
 * @param timeZone whose days count
 * @throws InvalidInput that names the field that is wrong
 */
export async function checkedPatch(
  transaction: Db,
  before: StoredDecision,
  patch: DecisionPatch,
  timeZone: string,
): Promise<DecisionPatch> {
  const { body, deal_id, asked, reasons } = patch
  if (body !== undefined) requireLength(body)
  if (deal_id && deal_id !== before.deal_id) await requireDeal(transaction, before.company_id, deal_id)
  const added = asked?.flatMap((email, index) =>
    before.asked.includes(email) ? [] : [[`asked[${index}]`, email] as const],
  )
  await requireUsers(transaction, added ?? [])
  return {
    ...patch,
    ...(reasons && { reasons: await requireReasons(transaction, reasons, before.reasons) }),
    ...(asked && { asked: [...new Set(asked)] }),
    ...timesAfter(before, patch, timeZone),
  }
}

function requireLength(body: string): void {
  const bytes = Buffer.byteLength(body)
  if (bytes > MAX_BODY_BYTES)
    throw new InvalidInput(
      `body must have at most 100 KB (${MAX_BODY_BYTES} bytes in UTF-8), but has ${bytes} bytes.`,
    )
}

/** Checks that a deal is one of the company. It stays until the transaction ends. */
async function requireDeal(transaction: Db, company_id: string, deal_id: string): Promise<void> {
  const { rows } = await sql<{ company_id: string; name: string }>`
    select company_id, (select name from companies where companies.id = company_id) as name from dealflow
    where id = ${deal_id} for key share`.execute(transaction)
  const expected = `deal_id must be the id of a deal of the company ${company_id}`
  const [deal] = rows
  if (!deal) throw await unknownRecords(transaction, expected, [deal_id], 'POST /api/dealflow')
  if (deal.company_id !== company_id)
    throw new InvalidInput(`${expected}; ${deal_id} is a deal of ${deal.name} (${deal.company_id}).`)
}

/** The time of the decision, which its outcome sets, and the day to look again. */
function timesAfter(
  before: StoredDecision,
  patch: DecisionPatch,
  timeZone: string,
): Pick<StoredDecision, 'decided_at' | 'revisit_on'> {
  const { outcome, revisit_on } = { ...before, ...patch }
  const decided_at = outcome === null ? requireOpen(patch) : decidedAt(before, patch)
  const isSame = decided_at === before.decided_at && revisit_on === before.revisit_on
  if (decided_at !== null && revisit_on !== null && !isSame) {
    const day = new Date(localDay(Date.parse(decided_at), timeZone)).toISOString().slice(0, 10)
    if (revisit_on < day)
      throw new InvalidInput(
        `revisit_on must not be before the day of the decision, ${day} in ${timeZone}, but is ${revisit_on}.`,
      )
  }
  return { decided_at, revisit_on }
}

function requireOpen({ decided_at }: DecisionPatch): null {
  if (!decided_at) return null
  throw new InvalidInput(
    'decided_at must be null while outcome is null: the decision is open. Send an outcome with it.',
  )
}

function decidedAt(before: StoredDecision, { decided_at }: DecisionPatch): string {
  if (decided_at === undefined || (decided_at === null && before.decided_at === null))
    return before.decided_at ?? new Date().toISOString()
  if (decided_at === null)
    throw new InvalidInput(
      'decided_at must be a time while outcome is set. An outcome of null opens the decision again.',
    )
  if (Date.parse(decided_at) > Date.now())
    throw new InvalidInput(`decided_at must not be in the future, but is ${decided_at}.`)
  return new Date(decided_at).toISOString()
}

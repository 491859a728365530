import { type RawBuilder, sql } from 'kysely'
import type { NewActivity } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { laterThan } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'
import { addressPatterns, type Contact, companiesOf } from './contact.ts'
import type { ContactPattern, IsText } from './contact-pattern.ts'
import { replaceTexts } from './replace-texts.ts'

const TEXTS: ReadonlySet<string> = new Set(['body', 'comment'])
const isDecisionText: IsText = (field, isInText) => isInText || TEXTS.has(field)

/**
 * The query for the ids of the decisions that may name a contact, also of those in the trash: those about companies that the
 * contact is linked to or was, and those with an email address or a web address of theirs, now or before.
 */
export function decisionsAbout({ ids, details }: Contact): RawBuilder<unknown> {
  const addresses = addressPatterns(details)
  const hasAddress = (text: RawBuilder<unknown>) => sql`${text} ilike any(${addresses}::text[])`
  return sql`
    with companies as materialized (${companiesOf(ids)}),
      every_decision as materialized (
        select id, company_id, body || votes::text as text from decisions
        union all select id, company_id, content::text from trash where entity_type = 'decision')
    select id from every_decision where company_id in (select id from companies) or ${hasAddress(sql`text`)}
      or exists (select from activity where activity.entity_id = every_decision.id and changes is not null
        and ${hasAddress(sql`changes::text`)})`
}

/**
 * Replaces a contact's details in decisions, in those in the trash, and in their history.
 * @param count adds to the number of changed rows of a table
 * @returns the activity of the changed decisions, and the ids of all that were searched
 */
export async function eraseFromDecisions(
  transaction: Db,
  contact: Contact,
  pattern: ContactPattern,
  count: (table: string, rows: number) => void,
): Promise<{ activities: NewActivity[]; searched: string[] }> {
  const { rows: found } = await sql<{ id: string }>`
    select id from (${decisionsAbout(contact)}) decision order by id`.execute(transaction)
  const searched = idsOf(found)
  const { rows: records } = await sql<{ id: string }>`
    select id from activity where entity_id = any(${searched}) and changes is not null`.execute(transaction)
  const erase = async (table: string, columns: Record<string, 'text' | IsText>, keys: readonly string[]) => {
    const changed = await replaceTexts(transaction, { table, columns }, keys, pattern)
    count(table, changed.size)
    return changed
  }
  await erase('trash', { content: isDecisionText }, searched)
  await erase('activity', { changes: isDecisionText }, idsOf(records))
  const changed = await erase('decisions', { body: 'text', votes: isDecisionText }, searched)
  const { rows } = await sql<{ id: string; company_id: string; updated_at: Date }>`
    update decisions set updated_at = ${laterThan('updated_at')}
    where id = any(${[...changed.keys()]}) returning id, company_id, updated_at`.execute(transaction)
  const activities = rows.map(
    ({ id, company_id, updated_at }): NewActivity => ({
      ...{ activity_type: 'decision_updated', entity_type: 'decision', entity_id: id, company_id },
      metadata: { fields: changed.get(id) },
      timestamp: updated_at.toISOString(),
    }),
  )
  return { activities, searched }
}

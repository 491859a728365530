import { type RawBuilder, sql } from 'kysely'
import {
  type Action,
  actionRow,
  activityRow,
  insertActionRows,
  insertActivityRows,
} from '#src/features/activity/index.ts'
import { type CustomFields, missingField, newCustomValues } from '#src/features/fields/index.ts'
import { requireThesis } from '#src/features/theses/index.ts'
import { requireOwner } from '#src/features/users/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Json, preparedQuery } from '#src/platform/database/sql.ts'
import { newId } from '#src/platform/ids.ts'
import { newCompany, type StoredCompany } from './company-row.ts'
import { companyActivity } from './company-update.ts'
import type { PossibleDuplicate } from './possible-duplicate-schema.ts'
import type { NewCompany } from './schema.ts'
import { companyFields, insertCompanyRows, rejectUnknownThesis } from './store.ts'

/** Looks for companies like a new one, in the statement that creates it. */
export interface CreationCheck<Keys> {
  /** What a company is compared by. */
  keysOf(company: StoredCompany): Keys
  /** A statement that makes the new company known to later checks, given its keys as a JSON array. */
  insertIdentity(json: unknown): RawBuilder<unknown>
  /** The similar companies as a row `(subject, found)`. */
  candidates(json: unknown): RawBuilder<unknown>
  rank(keys: Keys, found: unknown): PossibleDuplicate[]
}

export type CreateCompany = ReturnType<typeof companyCreator>

/** Returns the function that creates companies. */
export function companyCreator<Keys>(
  { db, customFields }: { db: Db; customFields: CustomFields },
  check: CreationCheck<Keys>,
) {
  const run = creationStatement(check)
  const insert = async (db: Db, action: Action, fields: NewCompany): Promise<Json> => {
    const company = newCompany(newId('cmp'), fields)
    const activity = activityRow(action.user, companyActivity('company_created', company.id), action)
    const keys = check.keysOf(company)
    const [created] = await run(db, {
      company: JSON.stringify([company]),
      action: JSON.stringify([actionRow(action, 1)]),
      activity: JSON.stringify([activity]),
      keys: JSON.stringify([keys]),
    })
    const { company: json, candidates } = created as CreatedCompany
    return `${json.slice(0, -1)},"possible_duplicates":${JSON.stringify(check.rank(keys, candidates))}}`
  }
  const insertCompany = (action: Action, fields: NewCompany): Promise<Json> => {
    if (!fields.custom && !missingField(customFields.of('company'), {})) return insert(db, action, fields)
    return db.transaction().execute(async (transaction) => {
      const custom = await newCustomValues(transaction, customFields, 'company', fields.custom)
      return insert(transaction, action, { ...fields, custom })
    })
  }
  /**
   * Creates a company and its activity record.
   * @returns the company with its possible duplicates
   * @throws InvalidInput when its thesis or its owner does not exist, or for wrong custom values
   */
  return async (action: Action, fields: NewCompany): Promise<Json> => {
    await requireOwner(db, fields.owner_email)
    await requireThesis(db, fields.thesis_id)
    return insertCompany(action, fields).catch(rejectUnknownThesis(fields.thesis_id))
  }
}

interface CreatedCompany {
  company: Json
  candidates: unknown
}

/** The one statement that creates a company with its activity record. Each value is a JSON array of one row. */
const creationStatement = <Keys>(check: CreationCheck<Keys>) =>
  preparedQuery<Record<'company' | 'action' | 'activity' | 'keys', string>, CreatedCompany>(
    ({ company, action, activity, keys }) => sql`
      with created as (${insertCompanyRows(company)} returning *),
        action as (${insertActionRows(action)}),
        activity as (${insertActivityRows(activity)}),
        identity as (${check.insertIdentity(keys)})
      select row_to_json(record)::text as company, candidates.found as candidates
      from (select ${companyFields} from created companies) record
      join (${check.candidates(keys)}) candidates on candidates.subject = record.id`,
  )

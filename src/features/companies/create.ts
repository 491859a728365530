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
import { sharingStatements } from '#src/platform/database/shared-statements.ts'
import { type Json, preparedQuery } from '#src/platform/database/sql.ts'
import { newId } from '#src/platform/ids.ts'
import { newCompany, type StoredCompany } from './company-row.ts'
import { companyActivity } from './company-update.ts'
import type { PossibleDuplicate } from './possible-duplicate-schema.ts'
import type { NewCompany } from './schema.ts'
import { companyFields, insertCompanyRows, rejectUnknownThesis } from './store.ts'

/** Looks for companies like new ones, in the statement that creates them. */
export interface CreationCheck<Keys> {
  /** What a company is compared by. */
  keysOf(company: StoredCompany): Keys
  /** A statement that makes new companies known to later checks, given as a JSON array of their keys. */
  insertIdentities(json: unknown): RawBuilder<unknown>
  /** The similar companies of each as rows `(subject, found)`. */
  candidates(json: unknown): RawBuilder<unknown>
  rank(keys: Keys, found: unknown, others: { company: StoredCompany; keys: Keys }[]): PossibleDuplicate[]
}

/** The rows that a new company takes. */
interface Creation<Keys> {
  company: StoredCompany
  action: object
  activity: object
  keys: Keys
}

export type CreateCompany = ReturnType<typeof companyCreator>

/** Returns the function that creates companies. */
export function companyCreator<Keys>(
  { db, customFields }: { db: Db; customFields: CustomFields },
  check: CreationCheck<Keys>,
) {
  const insert = insertCreations(check)
  // A change or a deletion of a thesis locks it.
  const insertSharing = sharingStatements<Creation<Keys>, Json>(
    (creations) => insert(db, creations),
    ({ company }) => company.thesis_id ?? '',
  )
  const creationOf = (action: Action, fields: NewCompany): Creation<Keys> => {
    const company = newCompany(newId('cmp'), fields)
    return {
      company,
      action: actionRow(action, 1),
      activity: activityRow(action.user, companyActivity('company_created', company.id), action),
      keys: check.keysOf(company),
    }
  }
  const insertCompany = (action: Action, fields: NewCompany): Promise<Json> => {
    if (!fields.custom && !missingField(customFields.of('company'), {}))
      return insertSharing(creationOf(action, fields))
    return db.transaction().execute(async (transaction) => {
      const custom = await newCustomValues(transaction, customFields, 'company', fields.custom)
      const [created] = await insert(transaction, [creationOf(action, { ...fields, custom })])
      return created as Json
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
  id: string
  company: Json
  candidates: unknown
}

/** Returns the function that creates companies in one statement. It returns them in the same order. */
function insertCreations<Keys>(check: CreationCheck<Keys>) {
  const run = creationStatement(check)
  return async (db: Db, creations: Creation<Keys>[]): Promise<Json[]> => {
    const rows = await run(db, {
      companies: JSON.stringify(creations.map(({ company }) => company)),
      actions: JSON.stringify(creations.map(({ action }) => action)),
      activities: JSON.stringify(creations.map(({ activity }) => activity)),
      keys: JSON.stringify(creations.map(({ keys }) => keys)),
    })
    const created = new Map(rows.map((row) => [row.id, row]))
    return creations.map(({ company: { id }, keys }, index) => {
      const { company, candidates } = created.get(id) as CreatedCompany
      const duplicates = check.rank(keys, candidates, creations.slice(0, index))
      return `${company.slice(0, -1)},"possible_duplicates":${JSON.stringify(duplicates)}}`
    })
  }
}

/** The one statement that creates companies with their activity records. Each value is a JSON array of rows. */
const creationStatement = <Keys>(check: CreationCheck<Keys>) =>
  preparedQuery<Record<'companies' | 'actions' | 'activities' | 'keys', string>, CreatedCompany>(
    ({ companies, actions, activities, keys }) => sql`
      with created as (${insertCompanyRows(companies)} returning *),
        action as (${insertActionRows(actions)}),
        activity as (${insertActivityRows(activities)}),
        identity as (${check.insertIdentities(keys)})
      select record.id, row_to_json(record)::text as company, candidates.found as candidates
      from (select ${companyFields} from created companies) record
      join (${check.candidates(keys)}) candidates on candidates.subject = record.id`,
  )

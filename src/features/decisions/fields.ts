import { sql } from 'kysely'
import type { FieldKind } from '#src/features/fields/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Fields, type FilterField, fieldsByName, optionsOf } from '#src/platform/filter/fields.ts'
import { normalizeEmail, normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { readReasonOptions } from './reasons.ts'
import { OUTCOMES } from './schema.ts'

const FIELDS: readonly FilterField[] = [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`decisions.id`, isRequired: true },
  { name: 'company_id', label: 'Company', type: 'reference', sql: sql`company_id`, isRequired: true },
  {
    name: 'company_name',
    label: 'Company name',
    type: 'text',
    sql: sql`(select name from companies where companies.id = decisions.company_id)`,
    isRequired: true,
    normalize: normalizeName,
    readsOtherTables: true,
  },
  { name: 'deal_id', label: 'Deal', type: 'reference', sql: sql`deal_id` },
  {
    name: 'outcome',
    label: 'Outcome',
    type: 'select',
    sql: sql`outcome`,
    options: optionsOf(OUTCOMES),
    normalize: normalizeWord,
  },
  {
    name: 'reasons',
    label: 'Reasons',
    type: 'multi_select',
    normalize: normalizeWord,
    hasAnyOf: (values) => sql`(reasons && ${values}::text[])`,
    isEmpty: sql`(reasons = '{}')`,
  },
  { name: 'body', label: 'Text', type: 'long_text', sql: sql`body` },
  {
    name: 'asked',
    label: 'Asked',
    type: 'multi_select',
    normalize: normalizeEmail,
    hasAnyOf: (values) => sql`(asked && ${values}::text[])`,
    isEmpty: sql`(asked = '{}')`,
  },
  {
    name: 'voted',
    label: 'Voted',
    type: 'multi_select',
    normalize: normalizeEmail,
    hasAnyOf: (values) => sql`(votes ?| ${values}::text[])`,
    isEmpty: sql`(votes = '{}')`,
  },
  { name: 'decided_at', label: 'Decided', type: 'timestamp', sql: sql`decided_at` },
  { name: 'revisit_on', label: 'Look again on', type: 'date', sql: sql`decisions.revisit_on` },
  { name: 'author_email', label: 'Author', type: 'user', sql: sql`author_email` },
  { name: 'created_at', label: 'Created', type: 'timestamp', sql: sql`created_at`, isRequired: true },
  { name: 'updated_at', label: 'Updated', type: 'timestamp', sql: sql`updated_at`, isRequired: true },
]

/** The fields that decisions can be filtered and sorted by. */
export const decisionSearchFields: Fields = fieldsByName('decision', FIELDS)

/** The fields of decisions, for the list of fields. */
export const decisionFieldKind = {
  entity: 'decision',
  readFields: async () => decisionSearchFields,
  readOptions: async (db: Db) => ({ reasons: await readReasonOptions(db) }),
} satisfies FieldKind

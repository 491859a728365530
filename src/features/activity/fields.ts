import { sql } from 'kysely'
import { type Fields, fieldsByName, optionsOf } from '#src/platform/filter/fields.ts'
import { normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { VIAS } from './action-schema.ts'
import { ENTITY_TYPES } from './schema.ts'

/** The fields that activity records can be filtered by. */
export const activityFields: Fields = fieldsByName('activity', [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`id`, isRequired: true, sortBy: null },
  {
    name: 'activity_type',
    label: 'Type',
    type: 'select',
    sql: sql`activity_type`,
    isRequired: true,
    normalize: normalizeWord,
    sortBy: null,
  },
  {
    name: 'entity_type',
    label: 'Record type',
    type: 'select',
    sql: sql`entity_type`,
    isRequired: true,
    options: optionsOf(ENTITY_TYPES),
    normalize: normalizeWord,
    sortBy: null,
  },
  {
    name: 'entity_id',
    label: 'Record',
    type: 'reference',
    sql: sql`entity_id`,
    isRequired: true,
    sortBy: null,
  },
  { name: 'company_id', label: 'Company', type: 'reference', sql: sql`company_id`, sortBy: null },
  { name: 'user_email', label: 'User', type: 'user', sql: sql`user_email`, sortBy: null },
  {
    name: 'timestamp',
    label: 'Time',
    type: 'timestamp',
    sql: sql`"timestamp"`,
    isRequired: true,
    sortBy: null,
  },
  { name: 'action_id', label: 'Action', type: 'reference', sql: sql`action_id`, sortBy: null },
  {
    name: 'via',
    label: 'Via',
    type: 'select',
    sql: sql`via`,
    options: optionsOf(VIAS),
    normalize: normalizeWord,
    sortBy: null,
  },
])

import { sql } from 'kysely'
import { type Fields, fieldsByName, optionsOf } from '#src/platform/filter/fields.ts'
import { normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { THESIS_STATUSES } from './schema.ts'

/** The fields that theses can be filtered and sorted by. */
export const thesisFields: Fields = fieldsByName('thesis', [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`id`, isRequired: true },
  { name: 'code', label: 'Code', type: 'text', sql: sql`code`, isRequired: true, normalize: normalizeName },
  { name: 'title', label: 'Title', type: 'text', sql: sql`title`, isRequired: true },
  { name: 'summary', label: 'Summary', type: 'long_text', sql: sql`summary` },
  { name: 'report_markdown', label: 'Report', type: 'long_text', sql: sql`report_markdown`, sortBy: null },
  {
    name: 'status',
    label: 'Status',
    type: 'select',
    sql: sql`status`,
    isRequired: true,
    options: optionsOf(THESIS_STATUSES),
    normalize: normalizeWord,
  },
  { name: 'created_at', label: 'Created', type: 'timestamp', sql: sql`created_at`, isRequired: true },
  { name: 'updated_at', label: 'Updated', type: 'timestamp', sql: sql`updated_at`, isRequired: true },
])

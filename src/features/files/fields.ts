import { type RawBuilder, sql } from 'kysely'
import type { FieldKind } from '#src/features/fields/index.ts'
import { hasLinks } from '#src/features/links/index.ts'
import { type Fields, fieldsByName, optionsOf } from '#src/platform/filter/fields.ts'
import { normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { fileType } from './file-types.ts'
import { FILE_TYPES, SCAN_STATES, TEXT_STATES, VISIBILITIES } from './schema.ts'

/** The condition that a file is about one of these records, or about a deal of one of these companies. */
export const isFileAbout = (ids: readonly string[]): RawBuilder<unknown> => sql`(current_files.id in (
  select record_id from links where relation = 'about' and target_id in (
      select unnest(${[...ids]}::text[]) union all select id from dealflow where company_id = any(${[...ids]}::text[]))
    and not exists (select from trash where trash.id = target_id)))`

/** What lists call the file: `pdf`, `image`, … */
export const typeOfFile = fileType(sql`current_files.type`)

const choice = (name: string, label: string, values: readonly string[], value = sql`${sql.ref(name)}`) => ({
  ...{ name, label, type: 'select' as const, sql: value, isRequired: true },
  ...{ options: optionsOf(values), normalize: normalizeWord },
})

/** The fields that files can be filtered and sorted by. */
export const fileSearchFields: Fields = fieldsByName('file', [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`current_files.id`, isRequired: true },
  { name: 'name', label: 'Name', type: 'text', sql: sql`name`, isRequired: true },
  choice('type', 'Type', FILE_TYPES, typeOfFile as ReturnType<typeof sql>),
  { name: 'size', label: 'Size', type: 'number', sql: sql`size`, isRequired: true },
  {
    name: 'about',
    label: 'About',
    type: 'multi_select',
    readsOtherTables: true,
    hasAnyOf: isFileAbout,
    isEmpty: sql`(not ${hasLinks('about', sql`current_files.id`)})`,
  },
  choice('visibility', 'Visibility', VISIBILITIES),
  { name: 'uploaded_by', label: 'Uploaded by', type: 'user', sql: sql`uploaded_by` },
  choice('scan_state', 'Virus scan', SCAN_STATES),
  choice('text_state', 'Text', TEXT_STATES),
  { name: 'pages', label: 'Pages', type: 'number', sql: sql`pages`, sqlType: 'integer' },
  { name: 'uploaded_at', label: 'Uploaded', type: 'timestamp', sql: sql`uploaded_at`, isRequired: true },
  { name: 'created_at', label: 'Created', type: 'timestamp', sql: sql`created_at`, isRequired: true },
  { name: 'updated_at', label: 'Updated', type: 'timestamp', sql: sql`updated_at`, isRequired: true },
])

/** The fields of files, for the list of fields. */
export const fileFieldKind = {
  entity: 'file',
  readFields: async () => fileSearchFields,
} satisfies FieldKind

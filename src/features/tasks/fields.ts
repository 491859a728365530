import { type RawBuilder, sql } from 'kysely'
import type { FieldKind } from '#src/features/fields/index.ts'
import { hasLinks } from '#src/features/links/index.ts'
import { type Fields, fieldsByName, optionsOf } from '#src/platform/filter/fields.ts'
import { normalizeWord } from '#src/platform/schema/normalize-input.ts'
import { REPEATS } from './schema.ts'
import { dueOn } from './store.ts'

/** The condition that a task is about one of these records, or about a deal of one of these companies. */
export const isTaskAbout = (ids: readonly string[]): RawBuilder<unknown> => sql`(tasks.id in (
  select record_id from links where relation = 'about' and target_id in (
      select unnest(${ids}::text[]) union all select id from dealflow where company_id = any(${ids}::text[]))
    and not exists (select from trash where trash.id = target_id)))`

/** The fields that tasks can be filtered and sorted by. */
export const taskSearchFields: Fields = fieldsByName('task', [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`tasks.id`, isRequired: true },
  { name: 'title', label: 'Title', type: 'text', sql: sql`title`, isRequired: true },
  { name: 'due_on', label: 'Due on', type: 'date', sql: sql`(${dueOn})`, readsOtherTables: true },
  { name: 'due_at', label: 'Due at', type: 'timestamp', sql: sql`tasks.due_at` },
  { name: 'assignee_email', label: 'Assignee', type: 'user', sql: sql`assignee_email` },
  {
    name: 'about',
    label: 'About',
    type: 'multi_select',
    readsOtherTables: true,
    hasAnyOf: isTaskAbout,
    isEmpty: sql`(not ${hasLinks('about', sql`tasks.id`)})`,
  },
  {
    name: 'repeat',
    label: 'Repeats',
    type: 'select',
    sql: sql`repeat`,
    options: optionsOf(REPEATS),
    normalize: normalizeWord,
  },
  {
    name: 'unless_contact_days',
    label: 'Unless contacted within days',
    type: 'number',
    sql: sql`unless_contact_days`,
    sqlType: 'integer',
  },
  { name: 'done_at', label: 'Done', type: 'timestamp', sql: sql`done_at` },
  { name: 'done_by', label: 'Done by', type: 'user', sql: sql`done_by` },
  { name: 'author_email', label: 'Author', type: 'user', sql: sql`author_email` },
  { name: 'created_at', label: 'Created', type: 'timestamp', sql: sql`created_at`, isRequired: true },
  { name: 'updated_at', label: 'Updated', type: 'timestamp', sql: sql`updated_at`, isRequired: true },
])

/** The fields of tasks, for the list of fields. */
export const taskFieldKind = {
  entity: 'task',
  readFields: async () => taskSearchFields,
} satisfies FieldKind

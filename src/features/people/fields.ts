import { type RawBuilder, sql } from 'kysely'
import { contactFields } from '#src/features/contacts/index.ts'
import { builtInNames, type FieldKind, fieldsReader } from '#src/features/fields/index.ts'
import { nextStepFields } from '#src/features/next-steps/index.ts'
import type { FilterField, MultiField } from '#src/platform/filter/fields.ts'
import { normalizeEmail, normalizeSpaces } from '#src/platform/schema/normalize-input.ts'
import { Person } from './schema.ts'

/** Links of a person to companies that are neither in the trash nor merged. */
const links = sql`company_people link join companies on companies.id = link.company_id
  where link.person_id = people.id`

const isLinked = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(exists (select from ${links} and ${condition}))`

/** The condition that a person is linked to one of these companies. */
export const isOfCompany = (ids: readonly string[]): RawBuilder<unknown> =>
  isLinked(sql`link.company_id = any(${ids}::text[])`)

const list = (
  name: 'emails' | 'phones' | 'links' | 'tags',
  label: string,
  normalize?: (text: string) => string,
): MultiField => ({
  name,
  label,
  type: 'multi_select',
  ...(normalize && { normalize }),
  hasAnyOf: (values) => sql`(${sql.ref(name)} && ${values}::text[])`,
  isEmpty: sql`(${sql.ref(name)} = '{}')`,
})

const BUILT_IN: readonly FilterField[] = [
  { name: 'id', label: 'ID', type: 'reference', sql: sql`id`, isRequired: true },
  { name: 'name', label: 'Name', type: 'text', sql: sql`name`, isRequired: true, sortBy: sql`name_sort` },
  list('emails', 'Email addresses', normalizeEmail),
  list('phones', 'Phone numbers'),
  list('links', 'Links'),
  { name: 'headline', label: 'Headline', type: 'text', sql: sql`headline` },
  { name: 'location', label: 'Location', type: 'text', sql: sql`location` },
  list('tags', 'Tags', normalizeSpaces),
  { name: 'owner_email', label: 'Owner', type: 'user', sql: sql`owner_email` },
  ...contactFields('person'),
  ...nextStepFields('person'),
  {
    name: 'company_id',
    label: 'Company',
    type: 'multi_select',
    readsOtherTables: true,
    hasAnyOf: isOfCompany,
    isEmpty: sql`(not ${isLinked(sql`true`)})`,
  },
  {
    name: 'role',
    label: 'Roles',
    type: 'long_text',
    readsOtherTables: true,
    sql: sql`(select string_agg(link.role, E'\n' order by link.role) from ${links})`,
    sortBy: null,
  },
  {
    name: 'companies',
    label: 'Number of companies',
    type: 'number',
    readsOtherTables: true,
    sql: sql`(select count(*)::int from ${links})`,
    sqlType: 'integer',
    isRequired: true,
    sortBy: null,
  },
  {
    name: 'created_at',
    label: 'Created',
    type: 'timestamp',
    sql: sql`created_at`,
    isRequired: true,
    // Ids are in the order of creation.
    sortBy: sql`id`,
  },
  { name: 'updated_at', label: 'Updated', type: 'timestamp', sql: sql`updated_at`, isRequired: true },
]

/** The fields that people can be filtered and sorted by at present. */
export const readPersonFields = fieldsReader('person', BUILT_IN)

/** The fields of people, for the list of fields. */
export const personFieldKind = {
  entity: 'person',
  readFields: readPersonFields,
  builtInNames: builtInNames(Person.properties, BUILT_IN),
} satisfies FieldKind

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { utcText } from '#src/platform/database/sql.ts'
import type { FilterField } from '#src/platform/filter/fields.ts'
import type { ContactColumns } from './schema.ts'
import './table.ts'

type Sql = RawBuilder<unknown>
type Entity = 'company' | 'person'

const IDS = { company: sql`companies.id`, person: sql`people.id` }

/** The contacts of a record until a time. They are derived from notes, and never outdated. */
const until = (entity: Entity, id: Sql, now: Sql): Sql =>
  entity === 'company'
    ? sql`company_contacts contact where contact.company_id = ${id} and contact.happened_at <= ${now}`
    : sql`listed_contacts contact where contact.target_id = ${id} and contact.happened_at <= ${now}`

/** A value of the last contact; null: there is none. */
const ofLast = (value: Sql, ...of: [Entity, Sql, Sql]): Sql =>
  sql`(select ${value} from ${until(...of)} order by contact.happened_at desc, contact.note_id desc limit 1)`

/** A note can be a contact with a company and with its people, but is counted once. */
const countLastYear = (entity: Entity, id: Sql, now: Sql): Sql =>
  sql`(select count(${entity === 'company' ? sql`distinct contact.note_id` : sql`*`})::int from ${until(entity, id, now)}
    and contact.happened_at >= ${now} - interval '365 days')`

const lastTime = utcText(sql`contact.happened_at`)

/** The columns that lists, details, and exports show of a company or a person. */
export function contactColumns(entity: Entity, id: Sql = IDS[entity], now: Sql = sql`now()`): Sql {
  return sql`${ofLast(lastTime, entity, id, now)} as last_contact_at,
    ${ofLast(sql`contact.author_email`, entity, id, now)} as last_contact_by,
    ${countLastYear(entity, id, now)} as contacts_last_year`
}

/** The same columns as they were at a time, by the notes and links of today. */
export async function readContactsAt(
  db: Db,
  entity: Entity,
  id: string,
  time: string,
): Promise<ContactColumns> {
  const { rows } = await sql<ContactColumns>`
    select ${contactColumns(entity, sql`${id}::text`, sql`${time}::timestamptz`)}`.execute(db)
  return rows[0] as ContactColumns
}

/** The same columns as fields to filter and sort by. */
export function contactFields(entity: Entity): readonly FilterField[] {
  const of = [entity, IDS[entity], sql`now()`] as const
  return [
    {
      name: 'last_contact_at',
      label: 'Last contact',
      type: 'timestamp',
      sql: ofLast(sql`contact.happened_at`, ...of),
      readsOtherTables: true,
    },
    {
      name: 'last_contact_by',
      label: 'Last contact by',
      type: 'user',
      sql: ofLast(sql`contact.author_email`, ...of),
      readsOtherTables: true,
    },
    {
      name: 'contacts_last_year',
      label: 'Contacts in the last year',
      type: 'number',
      sql: countLastYear(...of),
      sqlType: 'integer',
      isRequired: true,
      readsOtherTables: true,
    },
  ]
}

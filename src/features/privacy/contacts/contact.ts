import { type RawBuilder, sql } from 'kysely'
import { findTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Moved } from '#src/platform/errors.ts'
import { type ContactDetails, ContactPattern } from './contact-pattern.ts'

/** A person as the tables and the trash have them. */
interface StoredContact {
  id: string
  name: string
  emails: string[]
  phones: string[]
  links: string[]
}

/** A person outside of the team, with those who were merged into them. */
export interface Contact extends StoredContact {
  /** The ids of the person, and of those who were merged into them. */
  ids: string[]
  /** Present and previous details. */
  details: ContactDetails
}

const fields = sql`id, name, to_json(emails) as emails, to_json(phones) as phones, to_json(links) as links`
const trashed = sql`id, content -> 'record' ->> 'name' as name, content -> 'record' -> 'emails' as emails,
  content -> 'record' -> 'phones' as phones, content -> 'record' -> 'links' as links`

/**
 * A person, also one in the trash, with previous details from the ledger; undefined: none.
 * @throws Moved if they are part of another one
 */
export async function findContact(db: Db, id: string): Promise<Contact | undefined> {
  const survivor = (await findTrashed(db, [id])).get(id)?.survivor
  if (survivor)
    throw new Moved(`The person ${id} was merged into ${survivor}. Use that id instead.`, survivor)
  const { rows } = await sql<StoredContact>`
    select ${fields} from people where id = ${id}
    union all
    select ${trashed} from trash where entity_type = 'person' and (id = ${id} or company_id = ${id})`.execute(
    db,
  )
  const contact = rows.find((row) => row.id === id)
  if (!contact) return undefined
  const ids = rows.map((row) => row.id)
  const previous = await readPreviousDetails(db, ids)
  const all = [...rows, ...previous]
  const details = {
    names: distinct(all.map(({ name }) => name)),
    emails: distinct(all.flatMap(({ emails }) => emails)),
    phones: distinct(all.flatMap(({ phones }) => phones)),
    links: distinct(all.flatMap(({ links }) => links)),
  }
  return { ...contact, ids, details }
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

/** The values in the changes of people's details. */
async function readPreviousDetails(db: Db, ids: readonly string[]): Promise<Omit<StoredContact, 'id'>[]> {
  const { rows } = await sql<{ field: string; value: unknown }>`
    select change.key as field, side.value from activity, json_each(changes) change, json_each(change.value) side
    where entity_id = any(${[...ids]}) and changes is not null and change.key in ('name', 'emails', 'phones', 'links')`.execute(
    db,
  )
  return rows.map(({ field, value }) => {
    const listOf = (name: string) =>
      field === name && Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
    const name = field === 'name' && typeof value === 'string' ? value : ''
    return { name, emails: listOf('emails'), phones: listOf('phones'), links: listOf('links') }
  })
}

/** The ids of the people with an email address, also of those in the trash. */
export async function findContactIds(db: Db, email: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from people where emails @> ${[email]}::text[]
    union select id from trash
      where entity_type = 'person' and (content -> 'record' -> 'emails')::jsonb ? ${email} order by id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** @param also further texts that name them, such as a nickname */
export async function patternOf(
  db: Db,
  { details }: Contact,
  also: readonly string[] = [],
): Promise<ContactPattern> {
  const { rows } = await sql<{ email: string }>`select email from users`.execute(db)
  const users = rows.map(({ email }) => email)
  return new ContactPattern({ ...details, names: [...details.names, ...also] }, users)
}

/** The query for the ids of the companies that people are linked to or were, also of those in the trash. */
export const companiesOf = (ids: readonly string[]): RawBuilder<unknown> => sql`
  select company_id as id from company_people where person_id = any(${[...ids]})
  union select split_part(field, '.', 2) from activity, json_object_keys(changes) field
    where entity_id = any(${[...ids]}) and changes is not null and field like 'companies.%'`

/** Patterns of `ilike` for texts with an email address or a web address of a contact. */
export const addressPatterns = ({ emails, links }: ContactDetails): string[] =>
  [...emails, ...links].map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`)

/** The query for the ids of the notes that name people by a link, now or at any time, and of their replies. */
export const notesOf = (ids: readonly string[]): RawBuilder<unknown> => {
  const named = sql`
    select record_id as id from links where target_id = any(${[...ids]}) and starts_with(record_id, 'note_')
    union select entity_id from activity, json_object_keys(changes) field
      where entity_type = 'note' and changes is not null and split_part(field, '.', 2) = any(${[...ids]})`
  return sql`
    with named as materialized (${named})
    select id from named
    union select notes.id from notes where parent_id in (select id from named)
    union select trash.id from trash
      where entity_type = 'note' and content -> 'record' ->> 'parent_id' in (select id from named)`
}

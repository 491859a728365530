import { type RawBuilder, sql } from 'kysely'
import { aboutOf } from '#src/features/activity/index.ts'
import { isListed, type Links, participantsOf, readLinks } from '#src/features/links/index.ts'
import { lockedRows } from '#src/features/trash/index.ts'
import { canSee, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { all, type Json, precompile, utc } from '#src/platform/database/sql.ts'
import type { Note } from './schema.ts'

/** The note that has the links of a note: a reply is about what its parent is about. */
export const linkedNote = sql`coalesce(notes.parent_id, notes.id)`

/** A note's fields as the API shows them. */
export const noteFields = precompile(sql`notes.id, kind, title, body, ${utc('happened_at')},
  ${aboutOf(linkedNote)} as about, mentions, ${participantsOf(sql`notes.id`)} as participants, pinned, parent_id,
  (select count(*)::int from notes reply where reply.parent_id = notes.id) as replies, visibility, author_email, source,
  ${utc('created_at')}, ${utc('updated_at')}`)

/** The conditions that lists, searches and exports have in common. */
export const listedTo = (viewer: Viewer, isSeen = canSee): RawBuilder<unknown>[] => [
  isSeen(viewer, sql`notes.id`),
  isListed(linkedNote),
]

/** The note; undefined if the viewer cannot see it, or if all that it is about is in the trash. */
export async function readNote(db: Db, viewer: Viewer, id: string): Promise<Json | undefined> {
  const { rows } = await sql<{ record: Json }>`
    select row_to_json(record)::text as record
    from (select ${noteFields} from notes where ${all([sql`notes.id = ${id}`, ...listedTo(viewer)])}) record`.execute(
    db,
  )
  return rows[0]?.record
}

/** A note as stored. The links of a reply are those to participants. */
export interface StoredNote extends Omit<Note, 'about' | 'participants' | 'replies'> {
  links: Links
}

const storedFields = sql`id, kind, title, body, ${utc('happened_at')}, mentions, pinned, parent_id, visibility, author_email,
  source, ${utc('created_at')}, ${utc('updated_at')}`

async function withLinks(db: Db, rows: Omit<StoredNote, 'links'>[]): Promise<StoredNote[]> {
  const links = await readLinks(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((note) => ({ ...note, links: links.get(note.id) ?? {} }))
}

/** The notes that are not in the trash, locked until the transaction ends. */
export const lockNotes = (transaction: Db, ids: readonly string[]): Promise<StoredNote[]> =>
  lock(transaction, sql`id = any(${ids})`)

/** The replies to notes that are not in the trash, locked until the transaction ends. */
export const lockReplies = (transaction: Db, parents: readonly string[]): Promise<StoredNote[]> =>
  parents.length === 0 ? Promise.resolve([]) : lock(transaction, sql`parent_id = any(${parents})`)

async function lock(transaction: Db, condition: RawBuilder<unknown>): Promise<StoredNote[]> {
  const { rows } = await sql<StoredNote>`
    select ${storedFields} from notes where ${condition} order by id for no key update`.execute(transaction)
  return withLinks(transaction, rows)
}

/** The notes in the trash, locked until the transaction ends. Their links can be written. */
export async function lockTrashedNotes(transaction: Db, ids: readonly string[]): Promise<StoredNote[]> {
  const { rows } = await sql<StoredNote>`
    select ${storedFields} from (${lockedRows('note', 'notes', ids)}) notes`.execute(transaction)
  return withLinks(transaction, rows)
}

/** The replies to a note, also those in the trash. */
export async function readReplies(
  db: Db,
  parent_id: string,
): Promise<Pick<StoredNote, 'id' | 'author_email'>[]> {
  const { rows } = await sql<Pick<StoredNote, 'id' | 'author_email'>>`
    select id, author_email from notes where parent_id = ${parent_id}
    union all
    select id, content -> 'record' ->> 'author_email' from trash
    where entity_type = 'note' and content -> 'record' ->> 'parent_id' = ${parent_id} order by id`.execute(db)
  return rows
}

/** A note with its links; undefined: none. */
export async function readStoredNote(db: Db, id: string): Promise<StoredNote | undefined> {
  const { rows } = await sql<StoredNote>`select ${storedFields} from notes where id = ${id}`.execute(db)
  return (await withLinks(db, rows))[0]
}

export async function insertNoteRows(transaction: Db, notes: readonly StoredNote[]): Promise<void> {
  const rows = JSON.stringify(notes.map(({ links: _links, ...note }) => note))
  await sql`
    insert into notes (id, kind, title, body, happened_at, mentions, pinned, parent_id, visibility, author_email, source,
      created_at, updated_at)
    select id, kind, title, body, happened_at, array(select json_array_elements_text(mentions)), pinned, parent_id,
      visibility, author_email, source, created_at, updated_at
    from json_to_recordset(${rows}::json) as note(id text, kind text, title text, body text, happened_at timestamptz,
      mentions json, pinned boolean, parent_id text, visibility text, author_email text, source text,
      created_at timestamptz, updated_at timestamptz)`.execute(transaction)
}

/** The fields of a note that can be changed. */
export type NoteFields = Partial<
  Pick<
    StoredNote,
    'kind' | 'title' | 'body' | 'happened_at' | 'mentions' | 'pinned' | 'visibility' | 'author_email'
  >
>

/** Overwrites fields of a note. */
export async function writeNote(
  transaction: Db,
  id: string,
  { happened_at, updated_at, ...fields }: NoteFields & { updated_at: string },
): Promise<void> {
  await transaction
    .updateTable('notes')
    .set({
      ...fields,
      ...(happened_at && { happened_at: new Date(happened_at) }),
      updated_at: new Date(updated_at),
    })
    .where('id', '=', id)
    .execute()
}

/** The authors of notes, also of those in the trash. Replies to others of these are left out. */
export async function readAuthors(db: Db, ids: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await sql<{ author_email: string | null }>`
    select author_email from (
      select author_email, parent_id from notes where id = any(${[...ids]})
      union all select content -> 'record' ->> 'author_email', content -> 'record' ->> 'parent_id' from trash
        where id = any(${[...ids]}) and entity_type = 'note') note
    where coalesce(parent_id, '') <> all(${[...ids]})`.execute(db)
  return rows.map(({ author_email }) => author_email)
}

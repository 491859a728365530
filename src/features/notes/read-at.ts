import { sql } from 'kysely'
import { readPast, recordAt, requirePast } from '#src/features/activity/index.ts'
import { linkOf, type Relation, readNames, targetsIn } from '#src/features/links/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { NotFound } from '#src/platform/errors.ts'
import { requireNote } from './find.ts'
import type { Note } from './schema.ts'
import { readStoredNote, type StoredNote } from './store.ts'
import { withLinkNames } from './write-changes.ts'

/**
 * A note as it was at a time, for those who can see it now. Records that are in the trash now are left out.
 * @throws InvalidInput for a time in the future, NotFound if the viewer cannot see it, if it did not exist then, or was in
 *   the trash
 */
export async function readNoteAt(db: Db, viewer: Viewer, id: string, time: string): Promise<Note> {
  requirePast(time)
  const { parent_id }: Note = JSON.parse(await requireNote(db, viewer, id))
  const previous = await readStoredAt(db, id, time)
  const linked = parent_id ? await readStoredAt(db, parent_id, time) : previous
  const { links: _links, ...fields } = withoutLinks(previous)
  const { rows } = await sql<{ replies: number }>`
    select count(*)::int as replies from notes where parent_id = ${id} and created_at <= ${time}::timestamptz`.execute(
    db,
  )
  return {
    ...(fields as Omit<Note, 'about' | 'participants' | 'replies'>),
    about: await namedTargets(db, linked, 'about'),
    participants: (await namedTargets(db, previous, 'participants')).map(
      ({ type: _type, ...person }) => person,
    ),
    replies: rows[0]?.replies ?? 0,
  }
}

type NoteWithLinkNames = Omit<StoredNote, 'links'> & Record<string, unknown>

const withoutLinks = (note: NoteWithLinkNames): Record<string, unknown> =>
  Object.fromEntries(Object.entries(note).filter(([name]) => !linkOf(name)))

async function readStoredAt(db: Db, id: string, time: string): Promise<NoteWithLinkNames> {
  const note = await readStoredNote(db, id)
  const past = await readPast(db, [id], time)
  const previous = note && recordAt(withLinkNames(note), past.get(id), time)
  if (previous) return previous as NoteWithLinkNames
  throw new NotFound(
    note && Date.parse(note.created_at) > Date.parse(time)
      ? `The note ${id} did not exist at ${time}: it was created at ${note.created_at}.`
      : `At ${time}, the note ${id} was in the trash. It has since been restored.`,
  )
}

/** The records that a note was linked to, in order, with their present names. */
async function namedTargets(db: Db, note: NoteWithLinkNames, relation: Relation): Promise<Note['about']> {
  const targets = targetsIn(note, relation)
  const names = await readNames(db, targets)
  return targets.flatMap(({ type, id }) => {
    const name = names.get(id)
    return name === undefined ? [] : [{ type, id, name }]
  })
}

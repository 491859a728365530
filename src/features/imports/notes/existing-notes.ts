import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type AboutEntry, readLinks, targetsIn } from '#src/features/links/index.ts'
import { canSee, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { NoteRow } from './note-reader.ts'

/** A row of notes, as it will be stored. */
export interface PlannedNote {
  note: NoteRow
  about: AboutEntry[]
  source: string | null
  /** Whether the source has an id of the note, so that no other note has it. */
  isIdentified: boolean
  /** The note that it is a reply to. */
  parentId: string | undefined
  /** The note that exists; undefined: it is created. */
  existing: string | undefined
}

interface StoredKey {
  id: string
  source: string | null
  hash: string
  happened_at: Date
  /** Of a reply, the id of its note. */
  about: string
}

const hashOf = (body: string): string => createHash('md5').update(body).digest('hex')
const keyOfAbout = (ids: readonly string[]): string => ids.toSorted().join(' ')

const aboutOf = ({ parentId, about }: PlannedNote): string =>
  parentId ?? keyOfAbout(about.map(({ id }) => id))

/** Notes that exist, by what a second import of a row has in common with the first. */
export class ExistingNotes {
  readonly #ids: ReadonlySet<string>
  readonly #bySource: ReadonlyMap<string | null, string>
  readonly #byKey: ReadonlyMap<string, readonly StoredKey[]>

  constructor(notes: readonly StoredKey[]) {
    this.#ids = new Set(notes.map(({ id }) => id))
    this.#bySource = new Map(notes.map(({ id, source }) => [source, id]))
    this.#byKey = Map.groupBy(notes, ({ hash, about }) => `${hash} ${about}`)
  }

  hasId = ({ id }: NoteRow): boolean => id !== undefined && this.#ids.has(id)

  /**
   * The note that a row is: the one with its id or source, or else with the same text about the same records, and at the
   * same time if the row has one.
   */
  find(planned: PlannedNote): string | undefined {
    const { note, source, isIdentified } = planned
    if (this.hasId(note)) return note.id
    if (isIdentified) return this.#bySource.get(source)
    const candidates = this.#byKey.get(`${hashOf(note.body)} ${aboutOf(planned)}`) ?? []
    return candidates.find(
      ({ happened_at }) => note.happened_at === undefined || happened_at.toISOString() === note.happened_at,
    )?.id
  }
}

/** What identifies the notes that rows may be. */
const keysOf = (planned: readonly PlannedNote[]) => ({
  ids: planned.flatMap(({ note }) => note.id ?? []),
  sources: planned.flatMap(({ isIdentified, source }) => (isIdentified ? [source ?? ''] : [])),
  hashes: planned.flatMap(({ isIdentified, note }) => (isIdentified ? [] : [hashOf(note.body)])),
})

/** Reads the notes that rows may be, among those that the user can see. */
export async function readExistingNotes(
  db: Db,
  planned: readonly PlannedNote[],
  viewer: Viewer,
): Promise<ExistingNotes> {
  const { ids, sources, hashes } = keysOf(planned)
  // Apart, so that each condition is looked up in its own index.
  const { rows } = await sql<Omit<StoredKey, 'about'> & { parent_id: string | null }>`
    select id, source, md5(body) as hash, happened_at, parent_id from notes
    where id in (select id from notes where id = any(${ids}::text[])
      union all select id from notes where source = any(${sources}::text[])
      union all select id from notes where md5(body) = any(${hashes}::text[]))
      and ${canSee(viewer, sql`notes.id`)}`.execute(db)
  const links = await readLinks(
    db,
    rows.map(({ id }) => id),
  )
  return new ExistingNotes(
    rows.map((row) => {
      const about = idsOf(targetsIn(links.get(row.id) ?? {}, 'about'))
      return { ...row, about: row.parent_id ?? keyOfAbout(about) }
    }),
  )
}

/** Tells which rows are notes in the trash, among those that the user can see. */
export async function readTrashedNotes(
  db: Db,
  planned: readonly PlannedNote[],
  viewer: Viewer,
): Promise<(planned: PlannedNote) => boolean> {
  const { ids, sources } = keysOf(planned)
  const source = sql`content -> 'record' ->> 'source'`
  const { rows } = await sql<{ id: string; source: string | null }>`
    select id, ${source} as source from trash
    where id in (select id from trash where id = any(${ids}::text[])
      union all select id from trash where entity_type = 'note' and ${source} = any(${sources}::text[]))
      and entity_type = 'note' and not purging and ${canSee(viewer, sql`trash.id`)}`.execute(db)
  const trashedIds = new Set(rows.map(({ id }) => id))
  const trashedSources = new Set(rows.map(({ source }) => source))
  return ({ note, source, isIdentified }) =>
    (note.id !== undefined && trashedIds.has(note.id)) || (isIdentified && trashedSources.has(source))
}

/** Those of the ids that no new note can have: of notes in any state, and of private ones that were purged. */
export async function readTakenIds(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from notes where id = any(${ids}) union select id from trash where id = any(${ids})
    union select id from private_records where id = any(${ids})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

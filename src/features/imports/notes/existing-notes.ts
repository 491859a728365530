import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type AboutEntry, linkOf, readLinks } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { NoteRow } from './note-reader.ts'

/** A row of notes, as it will be stored. */
export interface PlannedNote {
  note: NoteRow
  about: AboutEntry[]
  source: string
  /** Whether the source has an id of the note, so that no other note has it. */
  isIdentified: boolean
  /** The note that exists; undefined: it is created. */
  existing: string | undefined
}

interface StoredKey {
  id: string
  source: string | null
  hash: string
  happened_at: Date
  about: string
}

const hashOf = (body: string): string => createHash('md5').update(body).digest('hex')
const keyOfAbout = (ids: readonly string[]): string => ids.toSorted().join(' ')

/** Notes that exist, by what a second import of a row has in common with the first. */
export class ExistingNotes {
  readonly #notes: readonly StoredKey[]
  readonly #byKey: ReadonlyMap<string, readonly StoredKey[]>

  constructor(notes: readonly StoredKey[]) {
    this.#notes = notes
    this.#byKey = Map.groupBy(this.#notes, ({ hash, about }) => `${hash} ${about}`)
  }

  /**
   * The note that a row is: the one with its id or source, or else with the same text about the same records, and at the
   * same time if the row has one.
   */
  find({ note, about, source, isIdentified }: PlannedNote): string | undefined {
    const same = this.#notes.find((one) => one.id === note.id || (isIdentified && one.source === source))
    if (same || isIdentified) return same?.id
    const candidates = this.#byKey.get(`${hashOf(note.body)} ${keyOfAbout(about.map(({ id }) => id))}`) ?? []
    return candidates.find(
      ({ happened_at }) => note.happened_at === undefined || happened_at.toISOString() === note.happened_at,
    )?.id
  }
}

/**
 * Reads the notes that rows may be, among those that the user can see.
 * @param email of the user
 */
export async function readExistingNotes(
  db: Db,
  planned: readonly PlannedNote[],
  email: string | null,
): Promise<ExistingNotes> {
  const { rows } = await sql<Omit<StoredKey, 'about'>>`
    select id, source, md5(body) as hash, happened_at from notes
    where (visibility = 'team' or author_email = ${email}) and (
      md5(body) = any(${planned.map(({ note }) => hashOf(note.body))}::text[])
      or source = any(${planned.flatMap(({ isIdentified, source }) => (isIdentified ? [source] : []))}::text[])
      or id = any(${planned.flatMap(({ note }) => note.id ?? [])}::text[]))`.execute(db)
  const links = await readLinks(
    db,
    rows.map(({ id }) => id),
  )
  return new ExistingNotes(
    rows.map((row) => {
      const ids = Object.keys(links.get(row.id) ?? {}).flatMap((name) => {
        const link = linkOf(name)
        return link?.relation === 'about' ? [link.target_id] : []
      })
      return { ...row, about: keyOfAbout(ids) }
    }),
  )
}

/** Tells which rows are notes in the trash. */
export async function readTrashedNotes(
  db: Db,
  planned: readonly PlannedNote[],
): Promise<(planned: PlannedNote) => boolean> {
  const { rows } = await sql<{ id: string; source: string | null }>`
    select id, content -> 'record' ->> 'source' as source from trash
    where entity_type = 'note' and not purging`.execute(db)
  const ids = new Set(rows.map(({ id }) => id))
  const sources = new Set(rows.map(({ source }) => source))
  return planned.length === 0
    ? () => false
    : ({ note, source, isIdentified }) =>
        (note.id !== undefined && ids.has(note.id)) || (isIdentified && sources.has(source))
}

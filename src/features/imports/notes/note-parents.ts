import { sql } from 'kysely'
import { lockNotes } from '#src/features/notes/index.ts'
import { canSee, findHidden, type Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { cellError } from '../rows/field-cells.ts'
import type { PlannedNote } from './existing-notes.ts'

type Parent = NonNullable<Awaited<ReturnType<typeof lockNotes>>[number]>

const NO_PARENT =
  'parent_id must be the id of a note that exists, or of an earlier row, and that is no reply itself. The reply was imported as a note of its own.'
const OPEN_PARENT =
  'parent_id must be the id of a private note, because the reply is private. The reply was imported as a note of its own.'

/** The notes that rows are replies to. */
export class NoteParents {
  readonly #stored: ReadonlyMap<string, { isPrivate: boolean }>
  readonly #rows = new Map<string, PlannedNote>()
  /** The ids of notes whose ids in the file were taken. */
  readonly #newIds = new Map<string, string>()

  constructor(stored: ReadonlyMap<string, { isPrivate: boolean }> = new Map()) {
    this.#stored = stored
  }

  /** The id of the note that a row is a reply to. Reports one that it cannot be a reply to. */
  find({ note }: PlannedNote): string | undefined {
    const { parentId } = note
    if (!parentId) return undefined
    const row = this.#rows.get(parentId.text)
    const id = row?.existing ?? parentId.text
    const parent = this.#stored.get(id) ?? row?.note
    if (parent && (parent.isPrivate || !note.isPrivate)) return id
    const message = parent ? OPEN_PARENT : NO_PARENT
    note.errors.push(cellError(parentId.column, 'parent_id', parentId.text, message))
    return undefined
  }

  /** Remembers a row that later rows may be replies to. */
  add(planned: PlannedNote): void {
    if (planned.note.id !== undefined && planned.parentId === undefined)
      this.#rows.set(planned.note.id, planned)
  }

  /** The notes of earlier transactions that rows are replies to, by their ids in the file, locked. */
  async lock(transaction: Db, planned: readonly PlannedNote[], viewer: Viewer): Promise<Map<string, Parent>> {
    const wanted = new Map(
      planned.flatMap(({ parentId }) =>
        parentId ? [[this.#newIds.get(parentId) ?? parentId, parentId]] : [],
      ),
    )
    if (wanted.size === 0) return new Map()
    const locked = await lockNotes(transaction, [...wanted.keys()])
    const hidden = await findHidden(transaction, viewer, [...wanted.keys()])
    return new Map(
      locked
        .filter(({ id, parent_id }) => parent_id === null && !hidden.has(id))
        .map((parent) => [wanted.get(parent.id) ?? parent.id, parent]),
    )
  }

  /** Keeps the ids of notes that have been stored. Call this when the transaction is committed. */
  keep(ids: ReadonlyMap<PlannedNote, string>): void {
    for (const [{ note }, id] of ids) if (note.id !== undefined) this.#newIds.set(note.id, id)
  }
}

/** Whether a row can be a reply to a note, which may have changed since the import was planned. */
export const isReplyTo = ({ note }: PlannedNote, parent: Parent): boolean =>
  !note.isPrivate || parent.visibility === 'private'

/** Reports that the note that a row is a reply to has been deleted or changed. */
export function reportLostParent({ note }: PlannedNote): void {
  const { column, text } = note.parentId ?? { column: '', text: '' }
  note.errors.push(cellError(column, 'parent_id', text, NO_PARENT))
}

/** Reads those notes that rows may be replies to and that the user can see. */
export async function readParents(
  db: Db,
  planned: readonly PlannedNote[],
  viewer: Viewer,
): Promise<NoteParents> {
  const ids = planned.flatMap(({ note }) => note.parentId?.text ?? [])
  const { rows } = await sql<{ id: string; isPrivate: boolean }>`
    select id, visibility = 'private' as "isPrivate" from notes
    where id = any(${ids}::text[]) and parent_id is null and ${canSee(viewer, sql`notes.id`)}`.execute(db)
  return new NoteParents(new Map(rows.map((row) => [row.id, row])))
}

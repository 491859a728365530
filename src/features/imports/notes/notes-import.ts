import type { Action } from '#src/features/activity/index.ts'
import type { CustomFieldMap } from '#src/features/fields/index.ts'
import { type AboutEntry, keepTargets, MAX_ABOUT, peopleEntries } from '#src/features/links/index.ts'
import { insertNotes, newNote } from '#src/features/notes/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { newId } from '#src/platform/ids.ts'
import { truncate } from '#src/platform/truncate.ts'
import { NewCompanies } from '../records/new-companies.ts'
import type { RecordLists, RecordPlanner } from '../records/record-import.ts'
import { requireNotUndone } from '../records/undone.ts'
import { shownFields } from '../row-lists.ts'
import { cellError } from '../rows/field-cells.ts'
import type { BadCells } from '../schema.ts'
import { type PlannedNote, readExistingNotes, readTakenIds, readTrashedNotes } from './existing-notes.ts'
import { isReplyTo, NoteParents, readParents, reportLostParent } from './note-parents.ts'
import type { NoteReader, NoteRow } from './note-reader.ts'
import { NoteTargets } from './note-targets.ts'

interface NotesImportParts {
  reader: NoteReader
  lists: RecordLists
  importId: string
  user: Viewer
  /** Where the file is from. */
  source: { tool: string | null; fileName: string | null }
  choices: { createCompanies: boolean; badCells: BadCells }
}

const MAX_NAME_LENGTH = 100
const MAX_SOURCE_LENGTH = 300
const NO_ABOUT = 'The row is about no company, person, or deal that exists, so it was not imported.'
const TOO_MANY = `A note may be about up to ${MAX_ABOUT} records. The others were left out.`

/** The import of a file of notes. */
export class NotesImport implements RecordPlanner<PlannedNote> {
  readonly #parts: NotesImportParts
  readonly #targets = new NoteTargets()
  #parents = new NoteParents()
  #companies = new NewCompanies(this.#targets.mentions)

  constructor(parts: NotesImportParts) {
    this.#parts = parts
  }

  add(row: number, cells: string[]): void {
    const note = this.#parts.reader.read(row, cells)
    if (!note.isUsable) this.#parts.lists.fail(row, nameOf(note), note.errors)
    else this.#targets.add(note)
  }

  async plan(db: Db, _fields: CustomFieldMap): Promise<readonly PlannedNote[]> {
    const { lists, choices, user } = this.#parts
    const resolved = await this.#targets.resolve(db, choices.createCompanies)
    this.#companies = new NewCompanies(this.#targets.mentions)
    const planned = resolved.flatMap(({ note, about }): PlannedNote[] => {
      if (about.length > MAX_ABOUT) note.errors.push(cellError('', 'about', nameOf(note), TOO_MANY))
      if (about.length > 0 && !(choices.badCells === 'fail' && note.errors.length > 0))
        return [
          {
            note,
            about: about.slice(0, MAX_ABOUT),
            ...this.#sourceOf(note),
            parentId: undefined,
            existing: undefined,
          },
        ]
      const errors = about.length > 0 ? [] : [cellError('', 'about', '', NO_ABOUT)]
      lists.fail(note.row, nameOf(note), [...note.errors, ...errors])
      return []
    })
    const existing = await readExistingNotes(db, planned, user)
    const isTrashed = await readTrashedNotes(db, planned, user)
    this.#parents = await readParents(db, planned, user)
    const seen = new Set<string>()
    return planned.filter((one) => {
      if (!existing.hasId(one.note)) one.parentId = this.#parents.find(one)
      if (choices.badCells === 'fail' && one.note.errors.length > 0) {
        lists.fail(one.note.row, nameOf(one.note), one.note.errors)
        return false
      }
      one.existing = existing.find(one)
      if (one.existing === undefined && isTrashed(one)) {
        lists.trash(one.note.row, nameOf(one.note))
        return false
      }
      const key = keyOf(one)
      if (one.existing === undefined && seen.has(key)) {
        lists.leaveOut(one.note.row, [nameOf(one.note)], 'The row repeats an earlier one.', false)
        return false
      }
      seen.add(key)
      this.#parents.add(one)
      return true
    })
  }

  /** A note by someone else than the user always has a source, so that it does not look as if it was written here. */
  #sourceOf({ sourceId, exportedSource, isOwn }: NoteRow): Pick<PlannedNote, 'source' | 'isIdentified'> {
    const { tool, fileName } = this.#parts.source
    if (exportedSource !== undefined) {
      const source = exportedSource ?? (isOwn ? null : (fileName ?? 'export'))
      return { source: source && truncate(source, MAX_SOURCE_LENGTH), isIdentified: false }
    }
    const source = [tool ?? fileName ?? 'import', ...(sourceId ? [sourceId] : [])].join(' ')
    return { source: truncate(source, MAX_SOURCE_LENGTH), isIdentified: sourceId !== undefined }
  }

  foresee(notes: readonly PlannedNote[]): void {
    for (const planned of notes) this.#report(planned, planned.existing)
  }

  async write(transaction: Db, notes: readonly PlannedNote[], action: Action): Promise<() => void> {
    const { importId, lists, user } = this.#parts
    const since = await readExistingNotes(transaction, notes, user)
    const open = notes.filter(
      (planned) => planned.existing === undefined && since.find(planned) === undefined,
    )
    const parents = await this.#parents.lock(transaction, open, user)
    const about = open.flatMap((planned) => planned.about)
    const ids = about.filter(({ type }) => type === 'company').map(({ id }) => id)
    const companies = await this.#companies.create(transaction, action, importId, ids)
    const stored = (entry: AboutEntry) => ({ ...entry, id: companies.get(entry.id) ?? entry.id })
    const participants = open.flatMap(({ note }) => note.participantIds.map(({ text }) => text))
    const kept = await keepTargets(transaction, [
      ...new Map(about.map(stored).map((entry) => [entry.id, entry])).values(),
      ...peopleEntries([...new Set(participants)]),
    ])
    const taken = await readTakenIds(
      transaction,
      open.flatMap(({ note }) => note.id ?? []),
    )
    const gone = new Set<PlannedNote>()
    const lost = new Set<PlannedNote>()
    const storedIds = new Map<PlannedNote, string>()
    const created = open.flatMap((planned) => {
      const { note, source } = planned
      const targets = planned.about.map(stored).filter(({ id }) => kept.has(id))
      const named = planned.parentId === undefined ? undefined : parents.get(planned.parentId)
      const parent = named && isReplyTo(planned, named) ? named : undefined
      if (planned.parentId !== undefined && !parent) lost.add(planned)
      if (targets.length === 0 && !parent) {
        gone.add(planned)
        return []
      }
      const id = note.id === undefined || taken.has(note.id) ? newId('note') : note.id
      const inserted = newNote(id, {
        ...{ kind: note.kind, title: note.title, body: note.body },
        ...(note.happened_at && { happened_at: note.happened_at }),
        ...{ author_email: note.author_email, source, mentions: note.mentions, pinned: note.isPinned },
        participants: note.participantIds.map(({ text }) => text).filter((id) => kept.has(id)),
        ...(parent ? { parent } : { about: targets, visibility: note.isPrivate ? 'private' : 'team' }),
      })
      storedIds.set(planned, id)
      if (note.id !== undefined && !parent) parents.set(note.id, inserted)
      return [inserted]
    })
    await insertNotes(transaction, action, created)
    if (created.length > 0) await requireNotUndone(transaction, action)
    return () => {
      this.#companies.keep()
      this.#parents.keep(storedIds)
      for (const planned of lost) reportLostParent(planned)
      for (const { note } of gone) lists.reject(note.row, NO_ABOUT)
      for (const planned of notes)
        if (!gone.has(planned)) this.#report(planned, planned.existing ?? since.find(planned))
    }
  }

  reject({ note }: PlannedNote, reason: string): void {
    this.#parts.lists.reject(note.row, reason)
  }

  get companies() {
    return this.#companies.report
  }

  #report({ note, about }: PlannedNote, existing: string | undefined): void {
    const { lists } = this.#parts
    const name = nameOf(note)
    for (const error of note.errors) lists.leaveBlank(note.row, name, error)
    for (const message of note.notes) lists.note(note.row, message)
    for (const { type, id } of about) if (type === 'company') this.#companies.use(id)
    const { kind, title, body, happened_at, author_email } = note
    lists.addRow({
      ...{
        row: note.row,
        name,
        outcome: existing === undefined ? 'created' : 'unchanged',
        id: existing ?? null,
      },
      changes: () => ({}),
      fields: () =>
        shownFields({
          ...{ kind, title, body, happened_at, author_email },
          about: about.map(({ type, id }) => (type === 'company' ? this.#companies.nameOf(id) : id)),
        }),
    })
  }
}

const nameOf = ({ title, body }: NoteRow): string =>
  truncate((title ?? body).replace(/\s+/g, ' '), MAX_NAME_LENGTH)

/** Equal for rows that are the same note. */
const keyOf = ({ note, about, parentId, source, isIdentified }: PlannedNote): string =>
  note.id ??
  (isIdentified
    ? `${source}`
    : JSON.stringify([note.body, parentId, about.map(({ id }) => id).sort(), note.happened_at]))

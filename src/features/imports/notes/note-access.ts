import type { UserReferences } from '#src/features/users/index.ts'
import { readUser } from '../cells/owners.ts'
import { isPlaceholder } from '../cells/placeholders.ts'
import type { ImportColumns, TextCell } from '../columns/columns.ts'
import { type CellMessages, cellError } from '../rows/field-cells.ts'
import type { NoteField } from './note-columns.ts'

/** Who wrote a note, and who may read it. */
export interface NoteAccess {
  author_email: string | null
  /** The name of an author to add to the text. */
  added: string | undefined
  /** Whether the user who imports it wrote it. */
  isOwn: boolean
  isPrivate: boolean
  /** Whether anyone could read it. */
  isReadable: boolean
  mentions: string[]
  /** The note that it is a reply to. */
  parentId: TextCell | undefined
}

type Author = Pick<NoteAccess, 'author_email' | 'added'>

const NO_USER = 'The author is no user, so the name was added to the end of the note.'
const NO_MENTION = 'mentions must be email addresses of users. The note does not mention this one.'
const NO_VISIBILITY = 'visibility must be team or private. The note was imported as a private one.'
const NOW_YOURS =
  'You could not read this private note of someone else, so it became a private note of yours.'
const NO_READER =
  'visibility must be team: neither the author of this private note nor you are a known user, so no one could read it.'

/** Reads who wrote the notes of a file, and who may read them. */
export class NoteAccessReader {
  readonly #columns: ImportColumns<NoteField>
  readonly #users: UserReferences
  readonly #user: string | null

  /** @param user the email address of the user who imports the file */
  constructor(columns: ImportColumns<NoteField>, users: UserReferences, user: string | null) {
    this.#columns = columns
    this.#users = users
    this.#user = user
  }

  read(cells: string[], messages: CellMessages): NoteAccess {
    const mentions = this.#mentions(cells, messages)
    const isPrivate = this.#isPrivate(cells, messages)
    const [parentId] = this.#columns.list('parent_id', cells)
    const named = this.#author(cells, messages)
    const isTheirs = isPrivate && !this.#isReader(named, mentions, parentId !== undefined)
    const { author_email, added } = isTheirs ? this.#adopt(named, messages) : named
    const isReadable = !isPrivate || author_email !== null
    if (!isReadable)
      messages.errors.push(cellError(this.#columns.nameOf('visibility'), 'visibility', 'private', NO_READER))
    const isOwn = author_email === this.#user && added === undefined
    return { author_email, added, isOwn, isPrivate, isReadable, mentions, parentId }
  }

  /** A user, or what to add to the note. Without a name in the row, it is the user who imports it. */
  #author(cells: string[], messages: CellMessages): Author {
    const cell = this.#columns.cell('author', cells)
    if (!cell || isPlaceholder(cell.text, 'owner')) return { author_email: this.#user, added: undefined }
    const { value } = readUser(cell.text, this.#users, 'author')
    if (value !== undefined) return { author_email: value, added: undefined }
    messages.notes.push(cellError(cell.column, 'author', cell.text, NO_USER))
    return { author_email: null, added: cell.text }
  }

  /** Whether the user will be able to read a private note. A reply is read by the readers of its note. */
  #isReader({ author_email }: Author, mentions: readonly string[], isReply: boolean): boolean {
    return author_email !== null && (isReply || [author_email, ...mentions].includes(this.#user ?? ''))
  }

  /** A private note that the user could not read becomes their own. */
  #adopt(author: Author, messages: CellMessages): Author {
    if (this.#user === null) return author
    const { author_email, added } = author
    messages.notes.push(cellError(this.#columns.nameOf('visibility'), 'visibility', 'private', NOW_YOURS))
    return { author_email: this.#user, added: added ?? author_email ?? undefined }
  }

  #mentions(cells: string[], messages: CellMessages): string[] {
    const known = this.#columns.list('mentions', cells).flatMap(({ text, column }) => {
      const { value } = readUser(text, this.#users, 'mentions')
      if (value === undefined) messages.errors.push(cellError(column, 'mentions', text, NO_MENTION))
      return value ?? []
    })
    return [...new Set(known)]
  }

  /** What is not understood is rather private. */
  #isPrivate(cells: string[], messages: CellMessages): boolean {
    const cell = this.#columns.cell('visibility', cells)
    if (!cell || /^team$/i.test(cell.text)) return false
    if (!/^private$/i.test(cell.text))
      messages.errors.push(cellError(cell.column, 'visibility', cell.text, NO_VISIBILITY))
    return true
  }
}

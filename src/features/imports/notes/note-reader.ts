import { MAX_BODY_BYTES, MAX_TITLE_LENGTH, type NOTE_KINDS } from '#src/features/notes/index.ts'
import { isEmailAddress } from '#src/platform/schema/email-address.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { parseBoolean } from '../cells/booleans.ts'
import { emailAddressesIn } from '../cells/email-addresses.ts'
import { isPlaceholder } from '../cells/placeholders.ts'
import { readWebAddress } from '../cells/web-address.ts'
import { type ImportColumns, type TextCell, VALUE_SEPARATORS } from '../columns/columns.ts'
import { type ColumnFormats, formatKey } from '../formats/column-formats.ts'
import { type CellMessages, cellError } from '../rows/field-cells.ts'
import { markdownOf } from './html-text.ts'
import type { NoteAccess, NoteAccessReader } from './note-access.ts'
import type { NoteField } from './note-columns.ts'
import { readTime } from './note-time.ts'

type NoteKind = (typeof NOTE_KINDS)[number]

/** The values of a row of notes. */
export interface NoteRow extends CellMessages, Omit<NoteAccess, 'added' | 'isReadable'> {
  row: number
  /** The id in an export of this service. */
  id: string | undefined
  title: string | null
  body: string
  kind: NoteKind
  happened_at: string | undefined
  /** Whether it can be stored: it has a text, and someone can read it. */
  isUsable: boolean
  companies: TextCell[]
  website: TextCell | undefined
  emails: TextCell[]
  people: TextCell[]
  deals: TextCell[]
  /** Names of records whose type the file does not say. */
  entities: TextCell[]
  aboutIds: TextCell[]
  participantIds: TextCell[]
  isPinned: boolean
  /** The source in an export of this service; undefined: the file is none. */
  exportedSource: string | null | undefined
  /** The id in another tool. */
  sourceId: string | undefined
}

const KINDS: readonly (readonly [NoteKind, RegExp])[] = [
  ['call', /\bcall|phone|anruf|appel|llamada/i],
  ['meeting', /meeting|treffen|réunion|reunión|video|lunch|coffee|dinner/i],
  ['email', /e-?mail/i],
  ['note', /^(?:note|notes|notiz|comment|text|engagement|activity)$|note/i],
]
const NO_KIND = 'kind must be note, call, meeting, or email. It was stored as a note.'
const NO_PINNED = 'pinned must be true or false. The note was not pinned.'
const LONG_TITLE = `A title may have up to ${MAX_TITLE_LENGTH} characters. It was put before the text of the note.`
const TOO_LONG = 'body must have at most 100 KB.'

/** Reads the rows of a file of notes. */
export class NoteReader {
  readonly #columns: ImportColumns<NoteField>
  readonly #formats: ColumnFormats
  readonly #access: NoteAccessReader

  constructor(columns: ImportColumns<NoteField>, formats: ColumnFormats, access: NoteAccessReader) {
    this.#columns = columns
    this.#formats = formats
    this.#access = access
  }

  read(row: number, cells: string[]): NoteRow {
    const messages: CellMessages = { errors: [], notes: [] }
    const { isExport } = this.#columns
    const cell = (field: NoteField) => this.#columns.cell(field, cells)
    const website = cell('company_website')
    const address = website && readWebAddress(website.text, 'company_website')
    if (website && address?.error)
      messages.errors.push(cellError(website.column, 'company_website', website.text, address.error))
    const { added, isReadable, ...access } = this.#access.read(cells, messages)
    const { title, body } = this.#text(cells, added, messages)
    return {
      ...messages,
      ...{ ...access, row, id: this.#columns.id(cells), title, body },
      kind: this.#kind(cells, messages),
      happened_at: this.#time(cells, messages),
      isUsable: body !== '' && isReadable,
      companies: isExport ? [] : this.#list('company', cells),
      website: website && address?.value ? { column: website.column, text: address.value } : undefined,
      emails: isExport ? [] : this.#emails(cells),
      people: isExport ? [] : this.#list('person', cells),
      deals: isExport ? [] : this.#list('deal', cells),
      entities: isExport ? [] : this.#list('entity', cells),
      aboutIds: this.#columns.list('about_ids', cells),
      participantIds: this.#columns.list('participant_ids', cells),
      isPinned: this.#isPinned(cells, messages),
      exportedSource: isExport ? (cell('source')?.text ?? null) : undefined,
      sourceId: isExport ? undefined : cell('source_id')?.text,
    }
  }

  #list(field: NoteField, cells: string[]): TextCell[] {
    return this.#columns.indexes(field).flatMap((index) =>
      this.#columns
        .text(index, cells)
        .split(VALUE_SEPARATORS)
        .map((text) => ({ text: normalizeName(text).trim(), column: this.#columns.name(index) }))
        .filter(({ text }) => text !== '' && !isPlaceholder(text, 'name')),
    )
  }

  #emails(cells: string[]): TextCell[] {
    return this.#list('person_email', cells).flatMap(({ text, column }) => {
      const addresses = emailAddressesIn(text).filter(isEmailAddress)
      return (addresses.length > 0 ? addresses : [text]).map((address) => ({ text: address, column }))
    })
  }

  #kind(cells: string[], messages: CellMessages): NoteKind {
    const cell = this.#columns.cell('kind', cells)
    if (!cell || isPlaceholder(cell.text)) return 'note'
    const [kind] = KINDS.find(([, pattern]) => pattern.test(cell.text)) ?? []
    if (!kind) messages.notes.push(cellError(cell.column, 'kind', cell.text, NO_KIND))
    return kind ?? 'note'
  }

  #time(cells: string[], messages: CellMessages): string | undefined {
    for (const index of this.#columns.indexes('happened_at')) {
      const text = this.#columns.text(index, cells)
      if (!text || isPlaceholder(text)) continue
      const format = this.#formats.dates.get(formatKey('happened_at', index)) ?? { order: null }
      const { value, note, error } = readTime(text, format, 'happened_at')
      if (note) messages.notes.push(cellError(this.#columns.name(index), 'happened_at', text, note))
      if (value !== undefined) return value
      if (error) messages.errors.push(cellError(this.#columns.name(index), 'happened_at', text, error))
    }
    return undefined
  }

  #isPinned(cells: string[], messages: CellMessages): boolean {
    const cell = this.#columns.cell('pinned', cells)
    const isPinned = cell && parseBoolean(cell.text)
    if (cell && isPinned === undefined)
      messages.errors.push(cellError(cell.column, 'pinned', cell.text, NO_PINNED))
    return isPinned ?? false
  }

  #text(
    cells: string[],
    author: string | undefined,
    messages: CellMessages,
  ): { title: string | null; body: string } {
    const title = this.#columns.cell('title', cells)
    const isLong = title !== undefined && title.text.length > MAX_TITLE_LENGTH
    if (isLong) messages.notes.push(cellError(title.column, 'title', title.text, LONG_TITLE))
    const texts = this.#columns.indexes('body').flatMap((index) => this.#columns.text(index, cells) || [])
    const text = [...new Set(texts)]
      .map((one) => (this.#columns.isExport ? one : markdownOf(one)))
      .join('\n\n')
    const whole = [...(isLong || (title && !text) ? [title.text] : []), ...(text ? [text] : [])].join('\n\n')
    const body = author && whole ? `${whole}\n\nAuthor: ${author}` : whole
    const column = this.#columns.nameOf('body')
    if (body === '') messages.errors.push(cellError(column, 'body', '', 'body is required.'))
    else if (Buffer.byteLength(body) > MAX_BODY_BYTES)
      messages.errors.push(cellError(column, 'body', body, TOO_LONG))
    const isUsable = body !== '' && Buffer.byteLength(body) <= MAX_BODY_BYTES
    return { title: title && !isLong && text ? title.text : null, body: isUsable ? body : '' }
  }
}

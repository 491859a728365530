import type { CustomFieldMap, CustomValues } from '#src/features/fields/index.ts'
import type { UserReferences } from '#src/features/users/index.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { PLAIN_NUMBER } from '#src/platform/schema/numerals.ts'
import { readDate } from '../cells/dates.ts'
import { readUser } from '../cells/owners.ts'
import { isPlaceholder, type PlaceholderKind } from '../cells/placeholders.ts'
import type { Reading } from '../cells/reading.ts'
import { readAmountOf } from '../cells/row-currency.ts'
import { readWebAddress } from '../cells/web-address.ts'
import { type ImportColumns, VALUE_SEPARATORS } from '../columns/columns.ts'
import { type ColumnFormats, formatKey } from '../formats/column-formats.ts'
import { markdownOf } from '../notes/html-text.ts'
import type { CustomReader } from '../rows/custom-reader.ts'
import { type CellMessages, cellError, FieldReader, placeholderTest } from '../rows/field-cells.ts'
import { DEAL_COLUMNS, type DealField } from './deal-columns.ts'
import { type DealKey, keyOfRow } from './deal-key.ts'
import { type DealFields, type DealSource, LIMITS, readDealStatus, readSource } from './deal-values.ts'
import { type BareShare, parseShare, roundedProbability, ShareEvidence, type ShareField } from './shares.ts'
import type { StageWords } from './stage-words.ts'

/** The values of a row of deals. */
export interface DealRow extends CellMessages {
  row: number
  /** The id in an export of this service. */
  id: string | undefined
  key: DealKey
  /** What reports call the row. */
  name: string
  company: { name: string; website: string | null; id?: string } | undefined
  /** The name of the column with the company. */
  companyColumn: string
  fields: DealFields
  /** Who brought the deal. */
  source: DealSource | undefined
  /** Numbers that may be fractions, until the last row is read. */
  shares: BareShare[]
  custom: CustomValues | undefined
}

const READ = [
  ...([
    'stage',
    'status',
    'owner_email',
    'amount_eur',
    'valuation_eur',
    'round',
    'source',
    'lost_reason',
  ] as const),
  ...(['notes', 'expected_close_on', 'probability', 'ownership_percent', 'company_website'] as const),
] satisfies DealField[]
type ReadField = (typeof READ)[number]

const SEVERAL_COMPANIES = 'A deal has one company. The first one of the cell was taken.'
const NAME_NOT_STORED =
  'Deals are called like their companies. The name only tells the deals of a company apart; import the column to the notes or ' +
  'to a custom field to keep it.'

/** Reads the rows of a file of deals. */
export class DealReader {
  readonly #columns: ImportColumns<DealField>
  readonly #readers: Readonly<Record<ReadField, FieldReader>>
  readonly #parts: DealReaderParts
  readonly #evidence = new ShareEvidence()
  /** The cell with the currency of the row that is read. */
  #currency: string | undefined

  constructor(parts: DealReaderParts) {
    const { columns } = parts
    this.#parts = parts
    this.#columns = columns
    const reader = (field: ReadField): FieldReader =>
      new FieldReader(columns, {
        field,
        indexes: columns.indexes(field),
        isPlaceholder: placeholderTest(columns, columns.isExport ? null : placeholderKind(field)),
        read: (text, index) => withLimit(field, this.#readCell(field, text, index)),
      })
    this.#readers = Object.fromEntries(READ.map((field) => [field, reader(field)])) as Record<
      ReadField,
      FieldReader
    >
  }

  #readCell(field: ReadField, text: string, index: number): Reading {
    const { users, formats, stages } = this.#parts
    const { isExport } = this.#columns
    switch (field) {
      case 'stage':
        return isExport ? { value: text } : stages.read(text)
      case 'status':
        return isExport ? { value: text } : readDealStatus(text)
      case 'owner_email':
        return readUser(text, users, field)
      case 'company_website':
        return readWebAddress(text, field)
      case 'amount_eur':
      case 'valuation_eur': {
        const format = formats.amounts.get(formatKey(field, index))
        return format ? readAmountOf(text, this.#currency, format, field) : {}
      }
      case 'expected_close_on':
        return readDate(text, formats.dates.get(formatKey(field, index)) ?? { order: null }, field)
      case 'notes':
        return { value: isExport ? text : markdownOf(text) }
      case 'probability':
      case 'ownership_percent':
        return { value: text }
      default:
        return { value: isExport ? text : normalizeName(text).trim() }
    }
  }

  /** @param customFields those of deals, with the options so far */
  read(row: number, cells: string[], customFields: CustomFieldMap): DealRow {
    const messages: CellMessages = { errors: [], notes: [] }
    this.#currency = this.#columns.cell('currency', cells)?.text
    const value = <T>(field: ReadField) => this.#readers[field].read(cells, messages) as T | undefined
    const shares: BareShare[] = []
    const website = value<string>('company_website')
    const fields: DealFields = {
      stage: value<string>('stage'),
      status: value<string>('status'),
      owner_email: value<string>('owner_email'),
      amount_eur: value<number>('amount_eur'),
      valuation_eur: value<number>('valuation_eur'),
      round: value<string>('round'),
      source: value<string>('source'),
      lost_reason: value<string>('lost_reason'),
      notes: value<string>('notes'),
      expected_close_on: value<string>('expected_close_on'),
      probability: this.#share('probability', cells, shares, messages),
      ownership_percent: this.#share('ownership_percent', cells, shares, messages),
    }
    // Deals in a stage for won or lost ones have been won or lost.
    if (fields.status === undefined && fields.stage !== undefined)
      fields.status = this.#parts.stages.outcomeOf(fields.stage) ?? undefined
    const company = this.#company(cells, website, messages)
    const dealName = this.#columns.isExport ? undefined : this.#columns.cell('deal_name', cells)
    if (dealName && company && normalizeName(dealName.text) !== company.name)
      messages.notes.push(cellError(dealName.column, 'deal_name', dealName.text, NAME_NOT_STORED))
    const recordId = this.#columns.isExport ? undefined : this.#columns.cell('record_id', cells)?.text
    return {
      ...messages,
      ...{ row, id: this.#columns.id(cells), company, fields, shares },
      companyColumn: this.#companyColumn,
      key: keyOfRow({ tool: this.#parts.tool, recordId, name: dealName?.text, round: fields.round }),
      name: dealName?.text ?? (company?.name || company?.website) ?? '',
      source: this.#source(cells, fields.source, messages),
      custom: this.#parts.custom.read(cells, customFields, messages),
    }
  }

  /** Takes the numbers of a row over that may be fractions. Call this after the last row. */
  settle({ shares, fields, ...messages }: DealRow): void {
    for (const share of shares) {
      const percent = this.#evidence.percentOf(share, messages)
      fields[share.field] =
        share.field === 'probability' ? roundedProbability(percent, share, messages) : percent
    }
  }

  #share(
    field: ShareField,
    cells: string[],
    shares: BareShare[],
    messages: CellMessages,
  ): number | undefined {
    const text = this.#readers[field].read(cells, messages) as string | undefined
    if (text === undefined) return undefined
    const column = this.#columns.cell(field, cells)?.column ?? field
    if (this.#columns.isExport && PLAIN_NUMBER.test(text)) return Number(text)
    const share = parseShare(text)
    if (share === undefined || share.value > 100) {
      messages.errors.push(cellError(column, field, text, LIMITS[field]))
      return undefined
    }
    if (share.isBare) {
      const bare = { field, value: share.value, text, column }
      this.#evidence.add(bare)
      shares.push(bare)
      return undefined
    }
    return field === 'probability' ? roundedProbability(share.value, { text, column }, messages) : share.value
  }

  get #companyColumn(): string {
    return this.#columns.nameOf(this.#columns.has('company') ? 'company' : 'company_website')
  }

  #company(cells: string[], website: string | undefined, messages: CellMessages): DealRow['company'] {
    const cell = this.#columns.cell('company', cells)
    const id = this.#columns.isExport ? this.#columns.cell('company_id', cells)?.text : undefined
    const parts = this.#columns.isExport ? [cell?.text ?? ''] : (cell?.text.split(VALUE_SEPARATORS) ?? [])
    const [first = '', ...others] = parts.filter((text) => text !== '' && !isPlaceholder(text, 'name'))
    if (cell && others.length > 0)
      messages.notes.push(cellError(cell.column, 'company', cell.text, SEVERAL_COMPANIES))
    const name = normalizeName(first).trim()
    if (name === '' && website === undefined) return undefined
    return { name, website: website ?? null, ...(id !== undefined && { id }) }
  }

  #source(cells: string[], note: string | undefined, messages: CellMessages): DealSource | undefined {
    const [type, id] = (['source_type', 'source_id'] as const).map((field) =>
      this.#columns.cell(field, cells),
    )
    return readSource({ type, id, note }, this.#parts.users, messages)
  }
}

interface DealReaderParts {
  columns: ImportColumns<DealField>
  custom: CustomReader
  formats: ColumnFormats
  users: UserReferences
  stages: StageWords
  /** The tool that the file is from; null: it is not known. */
  tool: string | null
}

function withLimit(field: ReadField, reading: Reading): Reading {
  if (field === 'company_website' || field === 'probability' || field === 'ownership_percent') return reading
  if (reading.value === undefined || DEAL_COLUMNS.fieldError(field, reading.value) === undefined)
    return reading
  return { error: LIMITS[field] }
}

function placeholderKind(field: ReadField): PlaceholderKind {
  if (field === 'owner_email') return 'owner'
  return field === 'notes' ? 'prose' : 'word'
}

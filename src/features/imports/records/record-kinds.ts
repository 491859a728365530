import { dealFieldKind, readStageConfig } from '#src/features/deals/index.ts'
import { personFieldKind } from '#src/features/people/index.ts'
import { userReferences } from '#src/features/users/index.ts'
import type { Table } from '#src/platform/csv/table.ts'
import type { User } from '#src/platform/identity/identity.ts'
import type { ImportParts } from '../batch-writer.ts'
import type { ImportColumns } from '../columns/columns.ts'
import type { ColumnKind } from '../columns/company-columns.ts'
import type { CustomColumns } from '../columns/custom-columns.ts'
import type { ImportedFieldKind } from '../columns/new-fields.ts'
import { DEAL_COLUMNS, type DealField } from '../deals/deal-columns.ts'
import { DealReader } from '../deals/deal-reader.ts'
import { DealsImport } from '../deals/deals-import.ts'
import type { PlannedDeal } from '../deals/plan-deals.ts'
import { StageWords } from '../deals/stage-words.ts'
import type { ColumnFormats } from '../formats/column-formats.ts'
import type { ImportOptions } from '../import-file.ts'
import type { RunningImport } from '../import-record.ts'
import type { PlannedNote } from '../notes/existing-notes.ts'
import { NoteAccessReader } from '../notes/note-access.ts'
import { NOTE_COLUMNS, type NoteField } from '../notes/note-columns.ts'
import { NoteReader } from '../notes/note-reader.ts'
import { NotesImport } from '../notes/notes-import.ts'
import { PeopleImport } from '../people/people-import.ts'
import { PERSON_COLUMNS, type PersonField } from '../people/person-columns.ts'
import { PersonReader } from '../people/person-reader.ts'
import type { PlannedPerson } from '../people/plan-people.ts'
import type { OnExisting } from '../record-schema.ts'
import { CustomReader } from '../rows/custom-reader.ts'
import type { StageChoices } from '../schema.ts'
import { detectRecords } from './detect.ts'
import type { RecordLists, RecordPlanner, RecordType } from './record-import.ts'

export interface RecordOptions extends Omit<ImportOptions, 'onConflict' | 'identifyBy' | 'onStart'> {
  createCompanies: boolean
  onExisting: OnExisting
  /** The stages of deals by the words of the file. */
  stages: StageChoices
  fileName: string | null
  onStart(importing: RunningImport): Promise<void>
}

/** What makes an import one of people, of notes, or of deals. */
export interface RecordKind<Field extends string, Item> {
  type: RecordType
  columns: ColumnKind<Field>
  /** null: these records have no custom fields. */
  fieldKind: ImportedFieldKind | null
  /** The fields of which a file needs one, and their name for people. */
  required: { fields: readonly Field[]; field: Field; what: string }
  planner(prepared: PreparedRecords<Field>): Promise<RecordPlanner<Item>>
}

interface PreparedRecords<Field extends string> {
  parts: ImportParts
  options: RecordOptions
  columns: ImportColumns<Field>
  custom: CustomColumns
  formats: ColumnFormats
  lists: RecordLists
  importId: string
  table: Table
  user: User | null
}

/** People, with the companies that they work for. */
export const PEOPLE: RecordKind<PersonField, PlannedPerson> = {
  type: 'person',
  columns: PERSON_COLUMNS,
  fieldKind: personFieldKind,
  required: {
    fields: ['name', 'first_name', 'last_name', 'emails'],
    field: 'name',
    what: "the person's name or email address",
  },
  planner: async ({ parts, options, columns, custom, formats, lists, importId }) => {
    const users = await userReferences(parts.db)
    const reader = new PersonReader(columns, new CustomReader(columns, custom, formats, users), users)
    return new PeopleImport({ reader, customFields: parts.customFields, lists, importId, choices: options })
  },
}

/** Notes about companies, people, and deals. */
export const NOTES: RecordKind<NoteField, PlannedNote> = {
  type: 'note',
  columns: NOTE_COLUMNS,
  fieldKind: null,
  required: { fields: ['body', 'title'], field: 'body', what: 'the text of the note' },
  planner: async ({ parts, options, columns, formats, lists, importId, table, user }) =>
    new NotesImport({
      reader: new NoteReader(
        columns,
        formats,
        new NoteAccessReader(columns, await userReferences(parts.db), user?.email ?? null),
      ),
      ...{ lists, importId, user, choices: options },
      source: { tool: detectRecords(table.header).source, fileName: options.fileName },
    }),
}

/** Deals of companies. */
export const DEALS: RecordKind<DealField, PlannedDeal> = {
  type: 'deal',
  columns: DEAL_COLUMNS,
  fieldKind: dealFieldKind,
  required: {
    fields: ['company', 'company_website'],
    field: 'company',
    what: "the name or the website of the deal's company",
  },
  planner: async ({ parts, options, columns, custom, formats, lists, importId, table }) => {
    const users = await userReferences(parts.db)
    const stages = new StageWords(await readStageConfig(parts.db), options.stages)
    const { source } = detectRecords(table.header)
    const reader = new DealReader({
      ...{ columns, formats, users, stages },
      custom: new CustomReader(columns, custom, formats, users),
      tool: source === 'export' ? null : source,
    })
    const { customFields } = parts
    return new DealsImport({ reader, stages, customFields, lists, importId, choices: options })
  },
}

import type { ReplayableFile } from '#src/platform/csv/replayable-file.ts'
import type { User } from '#src/platform/identity/identity.ts'
import type { ImportParts } from './batch-writer.ts'
import { type FormSettings, formSettings } from './form.ts'
import { importFile } from './import-file.ts'
import type { RunningImport } from './import-record.ts'
import {
  DealsImportQuery,
  NotesImportQuery,
  PeopleImportQuery,
  type RecordImportReport,
} from './record-schema.ts'
import { importDeals, importNotes, importPeople } from './records/import-records.ts'
import type { RecordOptions } from './records/record-kinds.ts'
import { type HeldType, ImportQuery, type ImportReport } from './schema.ts'
import { readFormats, readMapping, readRepairs, readStages } from './settings.ts'

/** The settings of every import. */
export type SharedSettings = Omit<ImportQuery, 'on_conflict' | 'identify_by'>

/** Imports a file with its settings. */
type RunImport<Settings> = (
  parts: ImportParts,
  user: User | null,
  file: ReplayableFile,
  options: CommonOptions & { onStart(importing: RunningImport): Promise<void> },
  settings: Settings,
) => Promise<ImportReport | RecordImportReport>

type CommonOptions = Omit<RecordOptions, 'createCompanies' | 'onExisting' | 'stages' | 'onStart'>

/** An import of one kind of record. */
export interface ImportKind<Settings extends SharedSettings> {
  type: HeldType
  form: FormSettings<Settings>
  run: RunImport<Settings>
}

export const COMPANIES: ImportKind<ImportQuery> = {
  type: 'company',
  form: formSettings(ImportQuery),
  run: (parts, user, file, options, { on_conflict = 'keep_apart', identify_by }) =>
    importFile(parts, user, file, { ...options, onConflict: on_conflict, identifyBy: identify_by }),
}

export const PEOPLE: ImportKind<PeopleImportQuery> = {
  type: 'person',
  form: formSettings(PeopleImportQuery),
  run: (parts, user, file, options, { create_companies = false, on_existing = 'update' }) =>
    importPeople(parts, user, file, {
      ...options,
      createCompanies: create_companies,
      onExisting: on_existing,
      stages: {},
    }),
}

export const NOTES: ImportKind<NotesImportQuery> = {
  type: 'note',
  form: formSettings(NotesImportQuery),
  run: (parts, user, file, options, { create_companies = false }) =>
    importNotes(parts, user, file, {
      ...options,
      createCompanies: create_companies,
      onExisting: 'skip',
      stages: {},
    }),
}

export const DEALS: ImportKind<DealsImportQuery> = {
  type: 'deal',
  form: formSettings(DealsImportQuery),
  run: (parts, user, file, options, { create_companies = false, on_existing = 'update', stages }) =>
    importDeals(parts, user, file, {
      ...options,
      createCompanies: create_companies,
      onExisting: on_existing,
      stages: readStages(stages),
    }),
}

/** @throws InvalidInput for a setting that cannot be read */
export const optionsOf = (settings: SharedSettings) => ({
  dryRun: settings.dry_run ?? false,
  onTrashed: settings.on_trashed ?? 'skip',
  badCells: settings.bad_cells ?? 'blank',
  mapping: readMapping(settings.mapping),
  formats: readFormats(settings.formats),
  repairs: readRepairs(settings.repairs),
  table: {
    ...(settings.encoding !== undefined && { encoding: settings.encoding }),
    ...(settings.delimiter !== undefined && { delimiter: settings.delimiter }),
    ...(settings.header_row !== undefined && { headerRow: settings.header_row }),
    ...(settings.sheet !== undefined && { sheet: settings.sheet }),
  },
})

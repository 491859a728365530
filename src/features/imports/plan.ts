import { applyPatch, newCompany, type StoredCompany, siteOf } from '#src/features/companies/index.ts'
import type { CustomValues } from '#src/features/fields/index.ts'
import { type CustomFieldMap, missingField, requiredError, sizeError } from '#src/features/fields/index.ts'
import type { InvalidInput } from '#src/platform/errors.ts'
import { replacesSite } from './matching/evidence.ts'
import type { FileCompany } from './matching/file-company.ts'
import type { ReadRow } from './rows/row-reader.ts'

/** A row of a company. */
export interface CompanyRow {
  row: number
  cells: string[]
  fields: ReadRow['fields']
}

/** A company of the file, whose rows have all been read. */
export interface ReadCompany {
  of: FileCompany
  rows: CompanyRow[]
}

/** What a row does. */
export interface PlannedRow {
  row: number
  name: string
  outcome: 'created' | 'updated' | 'unchanged'
  /** If it is updated: the fields that the row changes, custom ones as `custom.<key>`. */
  changed: string[]
  before: StoredCompany | undefined
  after: StoredCompany
}

/** What happens to a company. */
export interface PlannedCompany {
  /** The existing company; undefined: it is created. */
  before: StoredCompany | undefined
  company: StoredCompany
  changed: string[]
  rows: PlannedRow[]
  /** The rows to store as its source file. */
  sources: string[][]
  /** Pages on shared hosts that do not replace the company's own website. */
  keptWebsites: { row: number; value: string }[]
}

/**
 * Plans what the rows of one company do. They are joined before they are compared with what is stored, so that a second
 * import of the same rows changes nothing, even if they differ from each other.
 * @param id of a new company
 * @param options `onlyBlank`: the rows only fill in what is blank, because they are about a company that was merged;
 *   `mayRename`: the rows may change the name, because something else identifies the company
 */
export function planCompany(
  input: readonly CompanyRow[],
  before: StoredCompany | undefined,
  id: string,
  options: PlanOptions,
): PlannedCompany {
  const { onlyBlank, mayRename } = options
  const named = mayRename ? input : withOneName(input, before)
  const { rows, kept } = withOwnWebsite(named, before)
  const joined = joinedFields(rows)
  const fields = before && onlyBlank ? blankOnly(joined, before) : joined
  const final = before
    ? patched(before, fields)
    : { company: newCompany(id, fields as Parameters<typeof newCompany>[1]), changed: [] }
  const isChanged = !before || final.changed.length > 0
  return {
    before,
    ...final,
    rows:
      before && (onlyBlank || !isChanged)
        ? rows.map((row) => planned(row, before, isChanged ? final : { company: before, changed: [] }))
        : planRows(rows, before, id),
    sources: isChanged ? rows.map(({ cells }) => cells) : [],
    keptWebsites: kept,
  }
}

interface PlanOptions {
  onlyBlank: boolean
  mayRename: boolean
}

/** The rows without websites that are pages on a shared host, where the company has a website of its own. */
function withOwnWebsite(
  rows: readonly CompanyRow[],
  before: StoredCompany | undefined,
): { rows: readonly CompanyRow[]; kept: PlannedCompany['keptWebsites'] } {
  const kept: PlannedCompany['keptWebsites'] = []
  let current = siteEvidence(before?.website)
  const websites = rows.map(({ fields }) => siteEvidence(fields.website))
  if (current.site === null && rows.length === 1) return { rows, kept }
  for (const next of websites) if (replacesSite(next, current)) current = next
  return {
    kept,
    rows: rows.map((row, index) => {
      const next = websites[index]
      const { website, ...fields } = row.fields
      if (!next?.site || replacesSite(next, current)) return row
      kept.push({ row: row.row, value: String(website) })
      return { ...row, fields }
    }),
  }
}

function siteEvidence(website: unknown): { site: string | null; isPage: boolean } {
  const site = typeof website === 'string' ? siteOf(website) : null
  return { site: site?.key ?? null, isPage: site?.isPage ?? false }
}

/** The rows with the name of the company: a list in capitals renames none. */
function withOneName(rows: readonly CompanyRow[], before: StoredCompany | undefined): readonly CompanyRow[] {
  const name = before?.name ?? rows[0]?.fields.name
  return rows.map((row) =>
    name === undefined || row.fields.name === name ? row : { ...row, fields: { ...row.fields, name } },
  )
}

/** Applies one row after the other. */
function planRows(rows: readonly CompanyRow[], before: StoredCompany | undefined, id: string): PlannedRow[] {
  let state = before
  return rows.map((row) => {
    if (!state) {
      state = newCompany(id, row.fields as Parameters<typeof newCompany>[1])
      return planned(row, undefined, { company: state, changed: [] })
    }
    const previous = state
    const after = patched(previous, row.fields)
    state = after.company
    return planned(row, previous, after)
  })
}

interface Patched {
  company: StoredCompany
  changed: string[]
}

const planned = (
  { row }: CompanyRow,
  before: StoredCompany | undefined,
  { company, changed }: Patched,
): PlannedRow => ({
  row,
  name: company.name,
  outcome: !before ? 'created' : changed.length > 0 ? 'updated' : 'unchanged',
  changed,
  before,
  after: company,
})

const patched = (before: StoredCompany, fields: ReadRow['fields']): Patched =>
  applyPatch(before, { ...fields, custom: { ...before.custom, ...fields.custom } })

/** The fields of all rows; of those that several have, the last one's. */
function joinedFields(rows: readonly CompanyRow[]): ReadRow['fields'] {
  const joined: ReadRow['fields'] = {}
  const custom: CustomValues = {}
  for (const { fields } of rows) {
    Object.assign(joined, fields)
    Object.assign(custom, fields.custom)
  }
  return Object.keys(custom).length > 0 ? { ...joined, custom } : joined
}

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

function blankOnly({ custom = {}, ...fields }: ReadRow['fields'], before: StoredCompany): ReadRow['fields'] {
  const blank = (values: object, known: object) =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) => isBlank((known as Record<string, unknown>)[name])),
    )
  return { ...blank(fields, before), custom: blank(custom, before.custom ?? {}) }
}

/** Why a company cannot have the custom values of its rows. */
export function customError(
  rows: readonly CompanyRow[],
  before: StoredCompany | undefined,
  fields: CustomFieldMap,
): InvalidInput | undefined {
  const { custom = {} } = joinedFields(rows)
  if (before) return Object.keys(custom).length > 0 ? sizeError({ ...before.custom, ...custom }) : undefined
  const missing = missingField(fields, custom)
  return missing ? requiredError(missing) : sizeError(custom)
}

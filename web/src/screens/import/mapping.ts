import type { CustomFieldType } from '#src/client/client.ts'
import { freeKey } from '#src/client/limits.ts'
import { strings } from '#strings/import.ts'
import type { ImportedFile, ImportReport } from './components/report/report.ts'

/** A column for which the import creates a custom field. */
export interface NewField {
  column: string
  label?: string
  /** The service guesses it from the values if it is missing. */
  type?: CustomFieldType
}

/** The value to send for each field that the user has set: columns, null for none, or a field to create. */
export type Mapping = Record<string, string | string[] | null | NewField>

/** The columns that each field is read from. The first non-blank one counts. */
export type AssignedColumns = Record<string, string[]>

export interface Choice {
  mapping: Mapping
  /** Shown until the service has confirmed the mapping. */
  assigned: AssignedColumns
}

const MAX_LABEL_LENGTH = 100

/** The field that a column goes to. */
export const fieldOfColumn = (assigned: AssignedColumns, column: string): string | undefined =>
  Object.keys(assigned).find((field) => assigned[field]?.includes(column))

/** The custom field that the import creates under this name, if any. */
export function newFieldOf(mapping: Mapping, field: string | undefined): NewField | undefined {
  const mapped = field === undefined ? undefined : mapping[field]
  return mapped !== null && typeof mapped === 'object' && !Array.isArray(mapped) ? mapped : undefined
}

/** The columns that a field is mapped to. */
export function columnsOf(mapped: Mapping[string]): string[] {
  if (mapped === null) return []
  if (typeof mapped === 'string') return [mapped]
  return Array.isArray(mapped) ? mapped : [mapped.column]
}

/** The columns of each field, in order of preference, as the service has read them. */
export function assignedColumns(file: ImportedFile, report: ImportReport | null): AssignedColumns {
  if (report) return report.columns
  const assigned: AssignedColumns = {}
  for (const { name, field } of file.columns)
    if (field !== null) assigned[field] = [...(assigned[field] ?? []), name]
  return assigned
}

/**
 * Assigns a column to a field, or to none.
 * @param isFurther whether the field keeps its columns, and this one counts where they are blank
 */
export function assignColumn(
  choice: Choice,
  column: string,
  field: string | null,
  isFurther = false,
): Choice {
  const mapping = { ...choice.mapping }
  const assigned = { ...choice.assigned }
  for (const previous of Object.keys(assigned)) {
    if (!assigned[previous]?.includes(column)) continue
    const remaining = assigned[previous].filter((name) => name !== column)
    if (newFieldOf(mapping, previous)) delete mapping[previous]
    else mapping[previous] = mappedTo(remaining)
    if (remaining.length === 0) delete assigned[previous]
    else assigned[previous] = remaining
  }
  if (field) {
    const columns = [...(isFurther ? (assigned[field] ?? []) : []), column]
    mapping[field] = mappedTo(columns)
    assigned[field] = columns
  }
  return { mapping, assigned }
}

const mappedTo = (columns: string[]): string | string[] | null =>
  columns.length > 1 ? columns : (columns[0] ?? null)

/**
 * Creates a custom field for a column, or changes the label or type of the one to create.
 * @param taken keys that other fields have
 */
export function createField(
  choice: Choice,
  column: string,
  taken: ReadonlySet<string>,
  changes: { label?: string; type?: CustomFieldType } = {},
): Choice {
  const before = newFieldOf(choice.mapping, fieldOfColumn(choice.assigned, column))
  const { mapping, assigned } = assignColumn(choice, column, null)
  const typed = (changes.label ?? before?.label ?? column).trim().slice(0, MAX_LABEL_LENGTH)
  const label = typed || strings.unnamedField
  const type = changes.type ?? before?.type
  const others = Object.keys(mapping).map((field) => field.replace(/^custom\./, ''))
  const field = `custom.${freeKey(label, new Set([...taken, ...others]))}`
  return {
    mapping: {
      ...mapping,
      [field]: {
        column,
        ...(label !== column && { label }),
        ...(type && { type }),
      },
    },
    assigned: { ...assigned, [field]: [column] },
  }
}

/** Creates a custom field for each of several columns. */
export const createFields = (
  choice: Choice,
  columns: readonly string[],
  taken: ReadonlySet<string>,
): Choice => columns.reduce((after, column) => createField(after, column, taken), choice)

import { strings } from '#strings/import.ts'

export type ImportField = keyof typeof strings.fields

export const FIELDS = Object.keys(strings.fields) as ImportField[]

/** What is sent to the service: the column for each field that the user has set, or null for none. */
export type Mapping = Partial<Record<ImportField, string | null>>

/** The columns that each field is read from. The first non-blank one counts. */
export type AssignedColumns = Record<string, string[]>

export interface Choice {
  mapping: Mapping
  /** Shown until the service has confirmed the mapping. */
  assigned: AssignedColumns
}

/** The field that a column goes to. */
export const fieldOfColumn = (assigned: AssignedColumns, column: string): string | undefined =>
  Object.keys(assigned).find((field) => assigned[field]?.includes(column))

/** Assigns a column to a field, or to none. A field that the user has set has one column. */
export function assignColumn(choice: Choice, column: string, field: ImportField | null): Choice {
  const mapping = { ...choice.mapping }
  const assigned = { ...choice.assigned }
  for (const previous of Object.keys(assigned) as ImportField[]) {
    if (!assigned[previous]?.includes(column)) continue
    const remaining = assigned[previous].filter((name) => name !== column)[0]
    mapping[previous] = remaining ?? null
    if (remaining === undefined) delete assigned[previous]
    else assigned[previous] = [remaining]
  }
  if (field) {
    mapping[field] = column
    assigned[field] = [column]
  }
  return { mapping, assigned }
}

import { strings } from '#strings/import.ts'

export type ImportField = keyof typeof strings.fields

export const FIELDS = Object.keys(strings.fields) as ImportField[]

/** What the service is told: for each field that is not to be recognised by itself its column, or null for none. */
export type Mapping = Partial<Record<ImportField, string | null>>

/** For each field the columns it is read from, the first one that is not blank. */
export type AssignedColumns = Record<string, string[]>

export interface Choice {
  mapping: Mapping
  /** What is shown until the service has confirmed it. */
  assigned: AssignedColumns
}

/** The field that a column goes to. */
export const fieldOfColumn = (assigned: AssignedColumns, column: string): string | undefined =>
  Object.keys(assigned).find((field) => assigned[field]?.includes(column))

/** The choice after a column has been given to a field, or to none; a field has one column that is chosen. */
export function assignColumn(choice: Choice, column: string, field: ImportField | null): Choice {
  const mapping = { ...choice.mapping }
  const assigned = { ...choice.assigned }
  for (const former of Object.keys(assigned) as ImportField[]) {
    if (!assigned[former]?.includes(column)) continue
    const left = assigned[former].filter((name) => name !== column)[0]
    mapping[former] = left ?? null
    if (left === undefined) delete assigned[former]
    else assigned[former] = [left]
  }
  if (field) {
    mapping[field] = column
    assigned[field] = [column]
  }
  return { mapping, assigned }
}

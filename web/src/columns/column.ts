/** A column that a list can show. What a cell of it shows is up to the list. */
export interface Column {
  /** The name of the field in filters, sorts, and views. */
  field: string
  label: string
  /** In pixels, unless the user chose another. */
  width: number
  /** How wide it becomes where there is room, unless the user chose a width. */
  maxWidth?: number
  isNumber?: boolean
  isSortable: boolean
  /** Whether records may have no value. */
  isOptional: boolean
  /** Whether the first click sorts in descending order. */
  isDescendingFirst: boolean
  /** Whether it can only be shown by views that already have it. */
  isRetired?: boolean
}

/** A column in its place. */
export interface ColumnInTable {
  /** Whether it is the first one, which is always shown and pinned, and takes the space that the others leave. */
  isFirst: boolean
  /** Of a pinned column: its distance from the edge of the table, in pixels. */
  start?: number
}

export type TableColumn = Column & ColumnInTable

/** Of the column with the checkboxes, in pixels. */
export const SELECT_WIDTH = 36

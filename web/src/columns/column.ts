/** A column that a list can show. */
export interface Column<Cell = unknown> {
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
  /** Whether only views that already have it show it. */
  isRetired?: boolean
  /** Renders the value of a record. Each list defines its parameters. */
  cell: Cell
}

/** A column at its position in the table. */
export interface TableColumn<Cell = unknown> extends Column<Cell> {
  /** Whether it is the first one, which is always shown and pinned, and takes the space that the others leave. */
  isFirst: boolean
  /** The distance of a pinned column from the end of the checkboxes, in pixels. */
  start?: number
}

/** The first part of the text of a file. */
export interface FileStart {
  text: string
  /** Whether it is the whole file. */
  isWhole: boolean
  decode: (cells: string[]) => string[]
}

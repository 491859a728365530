/** The file to import. */
export interface ChosenFile {
  file: File
  /** Distinguishes this file from an earlier one of the same name. */
  key: number
}

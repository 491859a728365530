import type { Preview } from './read-preview.ts'

/** The file to import. */
export interface ChosenFile {
  file: File
  preview: Preview
  /** Distinguishes this file from an earlier one of the same name. */
  key: number
}

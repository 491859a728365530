import type { ImportSettings } from './settings.ts'

/** The settings that lists of a report can change before the import. After it, there is nothing to change. */
export interface Editing {
  settings: ImportSettings
  change: (change: (settings: ImportSettings) => ImportSettings) => void
  /** Whether the report is older than the settings. */
  isChecking: boolean
}

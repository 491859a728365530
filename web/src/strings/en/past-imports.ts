import { formatNumber } from '#web/format/format.ts'

/** Text of the list of past imports. */
export const strings = {
  title: 'Imports',
  unnamed: 'Unnamed file',
  states: { running: 'Running', completed: 'Completed', interrupted: 'Interrupted' },
  undone: 'Undone',
  counts: {
    created: (count: number) => `${formatNumber(count)} new`,
    updated: (count: number) => `${formatNumber(count)} updated`,
    unchanged: (count: number) => `${formatNumber(count)} unchanged`,
    restored: (count: number) => `${formatNumber(count)} restored`,
    trashed: (count: number) => `${formatNumber(count)} in the trash`,
    failed: (count: number) => `${formatNumber(count)} with errors`,
  },
  nothing: 'No rows yet',
  by: 'by',
  interrupted: 'Companies imported before the interruption are kept. Import the same file again to continue.',
  report: 'Report',
  reportOf: (file: string) => `Report on ${file}`,
  undo: 'Undo',
  undoOf: (file: string) => `Undo the import of ${file}`,
  stopAndUndo: 'Stop and undo',
  stopAndUndoOf: (file: string) => `Stop and undo the import of ${file}`,
  progressOf: (file: string) => `Import of ${file}`,
}

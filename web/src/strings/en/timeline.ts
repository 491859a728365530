import { formatNumber } from '#web/format/format.ts'

/** Text of the timeline of a record, and of what is written there. */
export const strings = {
  added: 'added',
  addedVersion: (version: number) => `added version ${formatNumber(version)} of`,
  title: 'Timeline',
  compose: 'Write',
  showing: (what: string) => `Show: ${what}`,
  filters: {
    all: 'Everything',
    notes: 'Notes and calls',
    decisions: 'Decisions',
    tasks: 'Tasks',
    files: 'Files',
    deals: 'Deals',
    scores: 'Scores',
    changes: 'Changes',
  },
  pinned: 'Pinned',
  empty: 'Nothing has happened yet.',
  emptyForFilter: 'Nothing of this kind yet.',
  showMore: 'Show more',
  allActivity: 'All activity',
  undone: 'Undone',
  undo: 'Undo this change',
  redo: 'Redo this change',
  showChanges: (count: string) => `Show ${count} changes`,
  hideChanges: 'Hide changes',
  moreChanges: (count: string) => `${count} more in all activity`,
  makeNote: 'Convert to note',
  makeNoteOf: (label: string) => `Convert to note: ${label}`,
}

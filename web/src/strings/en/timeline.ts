import { formatList } from '#web/format/format.ts'

/** Text of the timeline of a record, and of what is written there. */
export const strings = {
  title: 'Timeline',
  compose: 'Write',
  showing: (what: string) => `Show: ${what}`,
  filters: {
    all: 'Everything',
    notes: 'Notes and calls',
    decisions: 'Decisions',
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
  makeNote: 'Make it a note',
  makeNoteOf: (label: string) => `Make it a note: ${label}`,

  decided: {
    invest: 'decided to invest',
    pass: 'decided to pass',
    track: 'decided to track',
    hold: 'decided to hold',
  },
  asks: 'asked for a decision',
  aboutCompany: 'about',
  open: 'Open',
  reasons: 'Reasons',
  votes: { champion: 'champion', yes: 'yes', no: 'no', abstain: 'abstain' },
  voted: (name: string, vote: string) => `${name} voted ${vote}`,
  waitingFor: (names: string[]) => `Waiting for ${formatList(names)}`,
  revisitOn: (day: string) => `Look again on ${day}`,
}

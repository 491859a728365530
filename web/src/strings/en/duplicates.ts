import { formatNumber } from '#web/format/format.ts'

const plural = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

/** What a merge moves to the survivor. */
const MOVED = {
  deals: ['deal', 'deals'],
  people: ['person', 'people'],
  companies: ['company', 'companies'],
  activity: ['activity record', 'activity records'],
  files: ['file', 'files'],
  bulk_actions: ['bulk action entry', 'bulk action entries'],
} as const

/** Text of possible duplicates and of merging. */
export const strings = {
  title: 'Duplicates',
  description: (count: number) => plural(count, 'possible pair', 'possible pairs'),
  emptyTitle: 'No duplicates found',
  empty: 'Companies that may be the same appear here within seconds after they are added or changed.',
  noneDismissed: 'No dismissed pairs',
  status: 'Status',
  open: 'Open',
  dismissed: 'Dismissed',
  allPairs: 'Show all pairs',
  pair: (one: string, other: string) => `${one} and ${other}`,
  scoreIs: (share: string) => `${share} likely to be the same`,
  reasons: {
    same_domain: 'Same domain',
    same_name: 'Same name',
    similar_name: 'Similar name',
  } as Record<string, string>,
  dismiss: 'Not the same',
  dismissOne: (pair: string) => `Not the same: ${pair}`,
  reopen: 'Reopen',
  reopenOne: (pair: string) => `Reopen ${pair}`,
  merge: 'Merge',
  mergeOne: (pair: string) => `Merge ${pair}`,
  website: 'Website',
  country: 'Country',
  city: 'HQ city',
  industry: 'Industry',
  created: 'Created',

  mergeTitle: {
    company: (count: number) => `Merge ${plural(count, 'company', 'companies')}`,
    person: (count: number) => `Merge ${plural(count, 'person', 'people')}`,
  },
  keep: 'Keep this record',
  keepHelp: 'The others are merged into it. Their addresses lead to it.',
  conflicts: 'Choose the values to keep',
  conflictsHelp: 'Use the arrow keys to choose, Tab for the next field, and Enter to merge.',
  noConflicts: 'No field has different values.',
  choose: (field: string) => `Value of ${field}`,
  /** Counts by kind; null: unknown. */
  moves: (counts: Partial<Record<keyof typeof MOVED, number | null>>): string[] =>
    Object.entries(MOVED).flatMap(([kind, [one, many]]) => {
      const count = counts[kind as keyof typeof MOVED]
      return count ? [plural(count, one, many)] : []
    }),
  linkStays: (company: string, link: string) =>
    `Several have a role at the ${company}. This one stays: ${link}`,
  leftOut: (field: string, values: string) => `The list of ${field} is full. Left out: ${values}`,
  movesTo: (list: string) => `${list ? `Also moves: ${list}. ` : ''}You can undo a merge.`,

  possibleTitle: 'This company may already exist',
}

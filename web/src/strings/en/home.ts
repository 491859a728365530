import { formatList, formatNumber } from '#web/format/format.ts'

const counted = (count: number, one: string, many: string) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`
const deals = (count: number) => counted(count, 'deal', 'deals')

export const strings = {
  tasks: 'To do',
  allTasks: 'All my tasks',
  nothingDue: 'Nothing due.',
  myDeals: 'My deals',
  allMyDeals: 'All my deals',
  daysInStage: (days: number) => counted(days, 'day', 'days'),
  daysInStageHelp: 'Days in this stage',
  stuck: 'Stuck: longer in this stage than usual',
  noNextStep: 'No next step',
  pipeline: 'Pipeline',
  openPipeline: 'Open pipeline',
  changed: (change: string) => `${change} this week`,
  unchanged: 'unchanged this week',
  weightedDeals: (count: number) => `Amount × probability of ${deals(count)}`,
  moved: ({ entered, won, lost }: { entered: number; won: number; lost: number }) =>
    `This week: ${formatList(
      [
        entered > 0 && `${formatNumber(entered)} new`,
        won > 0 && `${formatNumber(won)} won`,
        lost > 0 && `${formatNumber(lost)} lost`,
      ].filter((part) => part !== false),
    )}`,
  withoutAmount: (count: number) => `${deals(count)} without an amount`,
  withoutProbability: (count: number) => `${deals(count)} without a probability`,
  newInViews: 'New in your views',
  newRecords: (count: number) => `${formatNumber(count)} new`,
  matches: 'Matches to review',
  allTheses: 'All theses',
  companies: (count: number) => counted(count, 'company', 'companies'),
  changedSince: (day: string) => `Since ${day}`,
  changedLately: 'In the last 7 days',
  moreChanges: (count: number) => `and ${counted(count, 'earlier change', 'earlier changes')}`,
  allActivity: 'All activity',
  inProgress: 'In progress',
  allBulkActions: 'All bulk actions',
  pending: 'Waiting to start',
  running: 'Running',
  progress: (done: string, total: string) => `${done} of ${total}`,
  failed: (count: string) => `${count} failed`,
  waitingFor: (reason: string) => `Waiting: ${reason}`,
  firstTitle: 'Start with your companies',
  firstHelp:
    'Import a spreadsheet, or a file from your CRM. Columns are recognized automatically, and you see what will happen before anything is saved.',
  importCompanies: 'Import companies',
  newThesis: 'New thesis',
  colleagues: 'Colleagues',
}

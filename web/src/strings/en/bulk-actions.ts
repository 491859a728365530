import { formatNumber } from '#web/format/format.ts'

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)

/** Text for starting, listing, and following bulk actions. */
export const strings = {
  title: 'Bulk actions',
  types: {
    generate_embeddings: 'Search indexing',
    llm_score: 'Scoring',
    enrich_profile: 'Profile enrichment',
  },
  typesHelp: {
    generate_embeddings: 'Makes companies findable by what they do. Uses no language model.',
    llm_score: 'Scores each company from 0 to 100 against its thesis, with reasons.',
    enrich_profile: 'Writes a profile of each company from its record, imported row, and website.',
  },
  statuses: {
    pending: 'Waiting to start',
    running: 'Running',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Canceled',
  },
  companies,

  startTitle: (count: number) => `Run AI on ${companies(count)}`,
  question: 'What should run?',
  priority: 'Priority',
  priorityHelp: 'Higher priority runs first, even ahead of bulk actions that are already running.',
  background: 'Background',
  normal: 'Normal',
  urgent: 'Urgent',
  thesis: 'Thesis for companies without one',
  thesisHelp: 'Companies that have a thesis are scored against their own.',
  thesesNotLoaded: 'Could not load the theses.',
  clearThesis: 'Clear thesis',
  noThesis: 'None: use general criteria',
  force: 'Include unchanged companies',
  forceHelp: 'If off, companies that have not changed since the last run are skipped.',
  tokenBudget: 'Token budget',
  tokenBudgetHelp:
    'Input and output tokens combined. When the budget is used up, the remaining companies fail and can be retried.',
  noTokenBudget: 'No limit',
  start: (count: number) => `Run on ${companies(count)}`,
  noCompanies: 'No companies selected. Select some in the list of companies first.',
  tooManyCompanies: (max: number) =>
    `A bulk action takes up to ${formatNumber(max)} companies. Select fewer and start several.`,
  notStarted: 'Bulk action not started',
  unavailable: 'Not available yet',
  rateLimited:
    'You have started too many bulk actions in the last minute. Wait a minute, then start this one again.',
  startsIn: (seconds: number) =>
    `You have started too many bulk actions in the last minute. This one starts automatically in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  started: (count: number) => `Started for ${companies(count)}.`,
  viewProgress: 'View progress',

  // The list
  description: 'AI runs you started, newest first',
  anyStatus: 'All',
  filter: 'Filter by status',
  columns: {
    type: 'Bulk action',
    status: 'Status',
    progress: 'Progress',
    priority: 'Priority',
    created: 'Started',
    duration: 'Duration',
  },
  progress: (processed: number, failed: number, total: number): string =>
    `${formatNumber(processed + failed)} of ${formatNumber(total)}${failed > 0 ? `, ${formatNumber(failed)} failed` : ''}`,
  pages: 'Pagination',
  pageControls: { first: 'First page', last: 'Last page', next: 'Next page', previous: 'Previous page' },
  empty: 'No bulk actions yet',
  emptyHelp:
    'Score, enrich, or index up to 10,000 companies at once, and follow the progress here. Select companies in the list to start.',
  chooseCompanies: 'Select companies',
  emptyFiltered: (status: string) => `No bulk actions with the status “${status}”`,
  emptyFilteredHelp: 'Select another status to see other bulk actions.',
  showAll: 'Show all',

  // One bulk action
  bulkAction: 'Bulk action',
  allActions: 'All bulk actions',
  notFoundTitle: 'Bulk action not found',
  notFound: 'Check the link, or find the bulk action in the list.',
  live: 'Live',
  liveHelp: 'Updates appear as they happen.',
  polling: 'Every 3 seconds',
  pollingHelp: 'No live connection. Reconnecting…',
  startedBy: (user: string, age: string) => `Started ${age} by ${user}`,
  startedAge: (age: string) => `Started ${age}`,
  priorityIs: (name: string, value: number) => `${name} priority (${value})`,
  forced: 'Includes unchanged companies',
  againstThesis: 'Thesis for companies without one:',
  progressTitle: 'Progress',
  percentDone: (percent: number) => `${percent}% done`,
  processed: 'Succeeded',
  failed: 'Failed',
  pending: 'Remaining',
  perMinute: 'Per minute',
  timeLeft: 'Time left',
  timeTaken: 'Duration',
  elapsed: 'Elapsed',
  unknown: 'Calculating…',
  isWaiting: 'Waiting',
  lessThanAMinute: 'Under a minute',
  waitingFor: 'Waiting. Continues automatically.',
  usage: 'Language model',
  calls: 'Calls',
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  budget: 'Token budget',
  budgetUsed: (used: number, budget: number) =>
    `${formatNumber(used)} of ${formatNumber(budget)} tokens used`,
  noBudget: 'No limit',
  causes: 'Failures by cause',
  cause: 'Cause',
  count: 'Companies',
  example: 'Example',
  viewCompany: 'View company',
  unnamedCause: 'Unknown',
  failedCompanies: 'Failed',
  completedCompanies: 'Completed',
  scoreBefore: 'Score before',
  scoreNow: 'Score now',
  scoreChange: 'Change',
  scoreKept: 'Kept',
  scoreNew: 'New',
  scoreFound: (score: number) => `AI: ${score}`,
  enteredScores: (entered: number, total: number) =>
    total === 1
      ? 'This company has a score that someone entered or imported.'
      : entered === 1
        ? `1 of ${formatNumber(total)} companies has a score that someone entered or imported.`
        : `${formatNumber(entered)} of ${formatNumber(total)} companies have scores that people entered or imported.`,
  keepScores: 'Keep',
  replaceScores: 'Replace',
  rulesKeepScores: 'The built-in rules keep entered scores.',
  keptCompanies: (count: number) =>
    count === 1 ? '1 entered score kept' : `${formatNumber(count)} entered scores kept`,
  company: 'Company',
  attempts: 'Attempts',
  error: 'Error',
  noName: 'Unnamed company',
  changes: 'Changes and undo',
  retry: (count: number) => `Retry ${companies(count)}`,
  cancel: 'Cancel',
  cancelTitle: 'Cancel this bulk action?',
  cancelHelp: (done: number, pending: number) =>
    `Results for ${companies(done)} are kept. ${companies(pending)} will be skipped. You cannot undo this.`,
  cancelConfirm: 'Cancel bulk action',
  keepRunning: 'Keep running',
  notCancelled: 'Bulk action not canceled',
  notifyMe: 'Notify me when it finishes',
  willNotify: 'Your browser will notify you when it finishes, even if this page is in the background.',
  notificationsBlocked: 'Notifications are blocked. Allow them for this site in your browser settings.',

  // When it finishes
  finished: {
    completed: (name: string) => `${name} completed`,
    failed: (name: string) => `${name} failed`,
    cancelled: (name: string) => `${name} canceled`,
  },
  outcome: (processed: number, failed: number, total: number): string =>
    `${formatNumber(processed)} of ${companies(total)} succeeded${failed > 0 ? `, ${formatNumber(failed)} failed` : ''}.`,
  view: 'View',

  // Before it starts
  willWait: 'This action will wait',
  byRules: 'No language model is set. Simple rules do the work, and the results are marked as a demo.',
}

import { formatNumber } from '#web/format/format.ts'

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)

const matchNow = (count: number, expected: number): string => {
  if (count === 0) return 'No companies match now.'
  const match = count === 1 ? '1 company matches' : `${formatNumber(count)} companies match`
  return `${match} now, not ${formatNumber(expected)}.`
}

/** Text of the list of companies. */
export const strings = {
  title: 'Companies',
  count: companies,
  matches: (count: number) =>
    count === 1 ? '1 matching company' : `${formatNumber(count)} matching companies`,
  newCompany: 'New company',
  importCompanies: 'Import companies',
  exportCsv: 'Export CSV',
  exportAll: (count: number) => `Export ${companies(count)} as CSV`,

  search: 'Search companies',
  keywordPlaceholder: 'Search names and descriptions',
  semanticPlaceholder: 'Describe what they do, such as scheduling software for hospitals',
  searchMode: 'Search mode',
  keyword: 'Keyword',
  semantic: 'Semantic',
  bestMatch: 'Best match',
  semanticOff: 'Semantic search is turned off on this service',
  semanticFailed: 'This search is not available right now',
  useKeywords: 'Search by keyword instead',
  similarity: 'Similarity',
  similarityOf: (percent: string) => `${percent} similar`,
  similarityParts: (words: string, meaning: string) => `${words} by words, ${meaning} by meaning`,
  answeredBy: (model: string) => `Ranked by words and by the model ${model}.`,
  answeredByWords: 'Ranked by words. No embedding model is available.',
  indexed: (done: number, all: number) =>
    `${formatNumber(done)} of ${companies(all)} indexed by the model so far.`,

  filters: 'Quick filters',
  status: 'Status',
  country: 'Country',
  industry: 'Industry',
  thesis: 'Thesis',
  tags: 'Tags',
  owner: 'Owner',
  minimumScore: 'Minimum score',
  anyScore: 'Any score',
  scoreFrom: (score: number) => `${score} or higher`,
  unscored: 'Not scored',
  scoreBucket: (from: number, to: number, count: number) => `${from} to ${to}: ${companies(count)}`,
  withoutValue: 'No value',
  findIn: (facet: string) => `Find ${facet.toLowerCase()}…`,
  showMore: (count: number) => `Show ${formatNumber(count)} more`,
  showFewer: 'Show fewer',
  noFacetMatch: 'No matches',
  mostFrequent: (max: number) => `The ${max} most frequent. Use Filter for others.`,
  noValues: 'No values',
  countsHelp: 'Counts cover all companies, not just these search results.',
  listInAnotherTab:
    'These companies were selected in another tab. Open the list there, or clear the filters.',

  table: 'List of companies',
  company: 'Company',
  city: 'HQ city',
  score: 'Score',
  revenue: 'Revenue',
  employees: 'Employees',
  decision: 'Decision',
  revisitOn: 'Look again on',
  founded: 'Founded',
  updated: 'Updated',
  created: 'Created',
  countryText: 'Country (text)',
  id: 'ID',
  sortNewest: 'Newest',
  sortUpdated: 'Recently updated',
  sortName: 'Name, A to Z',
  sortScore: 'Highest score',
  sortRevenue: 'Highest revenue',
  sortEmployees: 'Most employees',

  selection: 'Selected companies',
  pageSelected: (count: number) => `All ${formatNumber(count)} on this page are selected.`,
  selectMatching: (total: number) => `Select all ${formatNumber(total)} matching companies`,
  selectFirst: (max: number, total: number) =>
    `Select the first ${formatNumber(max)} of ${formatNumber(total)}`,
  selectionLimit: (max: number) => `You can select up to ${formatNumber(max)} companies.`,
  selecting: (count: number, total: number) => `Selecting… ${formatNumber(count)} of ${formatNumber(total)}`,
  stop: 'Stop',
  hiddenByFilter: (count: number) =>
    `${formatNumber(count)} selected ${count === 1 ? 'company is' : 'companies are'} hidden by the filter.`,
  someHidden: 'Some selected companies may be hidden by the filter.',
  showSelected: 'Show selected',
  runAi: 'Run AI',
  assignThesis: 'Assign thesis',
  changeStatus: 'Change status',
  assignTitle: (count: number) => `Assign a thesis to ${companies(count)}`,
  statusTitle: (count: number) => `Change the status of ${companies(count)}`,
  noThesis: 'No thesis',
  choose: 'Select…',
  update: (count: number) => `Update ${companies(count)}`,
  countChanged: (count: number, expected: number) => `${matchNow(count, expected)} Nothing was changed.`,
  exportLimit: (max: number) =>
    `With a filter this long, you can export up to ${formatNumber(max)} companies. Shorten the filter, or export fewer companies.`,
  exportCountChanged: (count: number, expected: number) =>
    `${matchNow(count, expected)} Nothing was exported.${count === 0 ? '' : ' Export again to include all of them.'}`,
  alreadyUpToDate: (count: number) => `${companies(count)} already up to date.`,
  exported: 'CSV exported',
  fileName: (day: string) => `companies-${day}.csv`,

  create: 'Create company',
  name: 'Name',
  nameExample: 'Nordlys Robotics',
  nameRequired: 'Enter a name.',
  website: 'Website',
  websiteExample: 'https://example.com',
  clearCountry: 'Clear country',
  clearIndustry: 'Clear industry',
  description: 'Description',
  discard: 'Discard',

  emptyTitle: 'No companies yet',
  empty: 'Import a list, or add your first company.',
  noKeywordMatch: 'No name or description contains this exact text.',
  otherWordings: 'Semantic search also finds other wordings.',
  noFilterMatch: 'No companies match these filters.',
  noSemanticMatch: 'No companies match this description and these filters.',
  trySemantic: 'Try semantic search',
  tryBestMatch: 'Try best match',
}

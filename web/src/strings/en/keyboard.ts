import { formatNumber } from '#web/format/format.ts'

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)

/** Text of the command palette, the keyboard help, and what they list. */
export const strings = {
  palette: 'Command palette',
  paletteButton: 'Jump to…',
  palettePlaceholder: 'Find a company, person, deal, thesis, view, note, or file, or type a command',
  noResults: 'No results',
  searching: 'Searching…',
  searchFailed: 'Search is not available right now',
  found: {
    company: 'Companies',
    person: 'People',
    deal: 'Deals',
    thesis: 'Theses',
    view: 'Views',
    note: 'Notes',
    file: 'Files',
  },
  foundOne: { company: 'Company', deal: 'Deal', person: 'Person', thesis: 'Thesis' },

  goTo: 'Go to',
  workspace: 'Workspace',
  list: 'List of companies',
  company: 'Company',
  thesis: 'Thesis',
  screen: 'This screen',
  show: (what: string) => `Show: ${what}`,

  openPalette: 'Open the command palette',
  searchCompanies: 'Search companies',
  newCompany: 'New company',
  undo: 'Undo the latest change',
  nothingToUndo: 'Nothing to undo. Activity lists earlier changes.',
  collapse: 'Collapse the sidebar',
  expand: 'Expand the sidebar',
  help: 'Keyboard shortcuts',
  helpHint: 'Keys without Ctrl or ⌘ do nothing while you type in a field.',
  singleKeys: 'Single-key shortcuts',
  sendFeedback: 'Send feedback',

  nextRow: 'Next company',
  previousRow: 'Previous company',
  firstRow: 'First company on the page',
  lastRow: 'Last company on the page',
  openRow: 'Open company',
  selectRow: 'Select company',
  backToList: 'Back to the list',
  nextCompany: 'Next company in the list',
  previousCompany: 'Previous company in the list',

  changeStatus: 'Change status',
  assignThesis: 'Assign thesis',
  assignOwner: 'Assign owner',
  changeTags: 'Change tags',
  newDeal: 'New deal',
  dealWithOne: (name: string) => `This deal is with ${name} only. A deal can have only one company.`,
  moveToTrash: 'Delete (move to the trash)',

  recountTitle: 'The selection has changed',
  recount: (count: number) =>
    count === 0 ? 'There is nothing to change.' : `Make the change to ${companies(count)}?`,
  change: (count: number) => `Change ${companies(count)}`,
  /** With the number of those that are not on screen. */
  selectedCompanies: (count: number, away: number) => {
    if (away === 0) return companies(count)
    if (count === 1) return '1 selected company, not on this page'
    return `${formatNumber(count)} selected companies, ${away === count ? 'none' : `${formatNumber(away)} not`} on this page`
  },
  choiceTitle: {
    status: (which: string) => `Change status of ${which}`,
    thesis_id: (which: string) => `Assign thesis to ${which}`,
    owner_email: (which: string) => `Assign owner to ${which}`,
  },
  noThesis: 'No thesis',
  tags: 'Tags',
  tagsOf: (name: string) => `Tags of ${name}`,
  addTags: (which: string) => `Add tags to ${which}`,
  save: 'Save',

  or: 'or',
  space: 'Space',
  deleteKey: 'Delete',
}

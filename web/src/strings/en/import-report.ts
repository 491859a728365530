import { formatList, formatNumber } from '#web/format/format.ts'

const rows = (count: number): string => (count === 1 ? '1 row' : `${formatNumber(count)} rows`)
const cells = (count: number): string => (count === 1 ? '1 cell' : `${formatNumber(count)} cells`)

/** Text of the report of an import, before and after it. */
export const strings = {
  tabs: {
    preview: 'Preview',
    created: 'New',
    changes: 'Changed',
    unchanged: 'Unchanged',
    trashed: 'In the trash',
    questions: 'Questions',
    cells: 'Cells to check',
    errors: 'Errors',
    notes: 'Adjusted cells',
    leftOut: 'Left out',
    edits: 'Your edits',
  },
  help: {
    created: 'These rows create a company.',
    changes: 'These rows change a company that exists, or one that an earlier row creates.',
    unchanged: 'The companies already have these values.',
    cells: 'These cells cannot be read. Edit a value and press Enter, or leave the row out.',
    errors: 'These rows cannot be imported. The other rows are not affected.',
    trashed:
      'These rows are about companies in the trash. They are skipped unless you restore the companies.',
    restored: 'These rows are about companies in the trash, which the import restores.',
    notes: 'These cells are not stored exactly as they are in the file. You do not need to do anything.',
  },
  helpAfter: {
    created: 'These rows created a company.',
    changes: 'These rows changed a company.',
    unchanged: 'The companies already had these values.',
    cells: 'These cells could not be read.',
    errors: 'These rows were not imported. Fix them in the file and import it again.',
    trashed: 'These rows are about companies in the trash. They were skipped.',
    restored: 'These rows are about companies that were restored from the trash.',
    notes: 'These cells were not stored exactly as they are in the file.',
  },
  previewHelp: (count: number) =>
    count === 1
      ? 'The first row as it will be stored.'
      : `The first ${formatNumber(count)} rows as they will be stored.`,
  leftOutHelp:
    'These rows do not look like companies, or you have left them out. Include the ones to import.',
  editsHelp: 'The file itself does not change.',
  stoppedAtRow: (row: number) =>
    `Reading stopped at row ${formatNumber(row)}: too many rows are not valid CSV. The rows after it are not imported.`,

  row: 'Row',
  company: 'Company',
  outcome: 'Outcome',
  outcomes: { created: 'New', updated: 'Changed', unchanged: 'Unchanged' },
  unnamed: '(no name)',
  blank: 'blank',
  before: 'Before',
  after: 'After',
  emptyList: 'No rows.',
  showMore: (count: number) => `Show ${formatNumber(count)} more`,
  noneListed: (count: number) => `${rows(count)}, not listed.`,
  omitted: (count: number) => `${formatNumber(count)} more are not listed.`,
  download: 'Download list',
  fileOf: (file: string, list: string) => `${file.replace(/\.[^.]+$/, '')}-${list}.csv`,
  headers: {
    row: 'row',
    company: 'company',
    column: 'column',
    value: 'value',
    message: 'message',
    count: 'count',
    before: 'before',
    after: 'after',
    reason: 'reason',
    text: 'text',
  },

  exclude: 'Leave out',
  include: 'Include',
  excludeRow: (row: number, name: string) => `Leave out row ${formatNumber(row)}${name && ` (${name})`}`,
  includeRow: (row: number, name: string) => `Include row ${formatNumber(row)}${name && ` (${name})`}`,
  undo: 'Undo',
  undoAll: 'Undo all edits',
  undoEdit: (column: string, row: number) => `Undo the edit of ${column} in row ${formatNumber(row)}`,
  edited: (column: string, from: string | null, to: string) =>
    from === null ? `${column}: “${to}”` : `${column}: changed from “${from}” to “${to}”`,
  valueOf: (column: string, row: number) => `${column} in row ${formatNumber(row)}`,
  enterValue: 'Enter a value',
  repaired: 'Repaired',

  rowsOf: (count: number) => rows(count),
  cellsOf: (column: string, count: number) => `${column}: ${cells(count)}`,
  answerColumn: 'Answer for the whole column',
  suchAs: (examples: string[]) => `Such as ${formatList(examples)}`,
  example: (value: string, row: number) => `“${value}” in row ${formatNumber(row)}`,
  badCells: 'Cells that cannot be read:',
  badCellsChoices: { blank: 'Leave the cell blank', fail: 'Leave the row out' },

  restored: 'Restored',
  trashChoice: 'Companies in the trash:',
  trashChoices: { skip: 'Skip', restore: 'Restore' },

  ofTotal: (count: number) => `of ${formatNumber(count)}`,
  openQuestions: 'Questions open',
  answered: 'answered',

  decision: 'decision',
  decisions: { keep_apart: 'Keep apart', update: 'Update', skip: 'Leave out' },
  decisionHelp: {
    keep_apart: ': they are different companies. This is the default.',
    update: ': they are the same company, which gets the values of the row.',
    skip: ': the row is not imported.',
  },
  firstIsUpdated: '“Update” changes this one.',
  nameIsKept: '“Update” keeps this name.',
  decided: { keep_apart: 'Kept apart', update: 'Updated', skip: 'Left out' },
  questionKinds: {
    website: 'Same website, different name',
    name: 'Same name, different spelling, location, or website',
    ambiguous: 'Several companies have this name',
  },
  countedKind: (kind: string, count: number) => `${kind} (${formatNumber(count)})`,
  questionHelp: {
    website: 'Are they the same company under another name, or different companies that share a website?',
    name: 'Are they the same company, or different companies with the same name?',
    ambiguous: 'It is unclear which of them the row is about.',
  },
  forAllOfKind: (count: number) => (count === 1 ? 'This row:' : `All ${rows(count)}:`),
  forAllRows: (count: number) => `All ${rows(count)} with a question:`,
  questionOf: (row: number, name: string) => `Row ${formatNumber(row)}, ${name}`,
  decisionFor: (row: number, name: string) => `Decision for row ${formatNumber(row)}, ${name}`,
  rowOfFile: (row: number) => `Row ${formatNumber(row)} of this file`,
  existing: 'Existing company',
  newOfFile: 'New company of this file',
  noValue: { website: 'No website', country: 'No country', hq_city: 'No city' },
}

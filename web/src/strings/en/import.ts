import { formatList, formatNumber, formatPercent } from '#web/format/format.ts'

const rows = (count: number): string => (count === 1 ? '1 row' : `${formatNumber(count)} rows`)

const fields = {
  name: 'Name',
  website: 'Website',
  country_code: 'Country code',
  country: 'Country',
  hq_city: 'HQ city',
  industry_category: 'Industry',
  activity_description: 'Description',
  status: 'Status',
  thesis_code: 'Thesis code',
  tags: 'Tags',
  owner_email: 'Owner (email address)',
  employee_count: 'Employees',
  founded_year: 'Founded',
  revenue_eur: 'Revenue in euros',
  llm_score_overall: 'Score',
  llm_score_details: 'Score details (JSON)',
  executives: 'Executives',
  financials: 'Financials (JSON)',
}

const personFields = {
  name: 'Name',
  first_name: 'First name',
  middle_name: 'Middle name',
  last_name: 'Last name',
  name_prefix: 'Title before the name',
  name_suffix: 'Suffix after the name',
  emails: 'Email addresses',
  phones: 'Phone numbers',
  links: 'Links',
  role: 'Job title',
  headline: 'Headline',
  company: 'Company',
  company_website: 'Website of the company',
  location: 'Location',
  city: 'City',
  region: 'Region',
  country: 'Country',
  tags: 'Tags',
  owner_email: 'Owner (email address)',
  companies: 'Companies',
}

const dealFields = {
  company: 'Company',
  company_website: 'Company website',
  stage: 'Stage',
  status: 'Status',
  owner_email: 'Owner',
  amount_eur: 'Amount (EUR)',
  currency: 'Currency of the amounts',
  round: 'Round',
  valuation_eur: 'Valuation (EUR)',
  ownership_percent: 'Ownership (%)',
  probability: 'Probability (%)',
  expected_close_on: 'Expected closing',
  source: 'Source',
  source_type: 'Brought by (kind)',
  source_id: 'Brought by (ID)',
  lost_reason: 'Lost reason',
  notes: 'Notes',
  deal_name: 'Name of the deal (not stored)',
  record_id: 'ID in the other tool',
  company_id: 'ID of the company',
}

const noteFields = {
  body: 'Text',
  title: 'Title',
  happened_at: 'Date',
  kind: 'Kind',
  author: 'Author',
  author_email: 'Author',
  company: 'Company',
  company_website: 'Website of the company',
  person: 'Person',
  person_email: 'Email address of the person',
  deal: 'Deal',
  entity: 'Company, person, or deal',
  source_id: 'Id in the other tool',
}

/** Text of the import, except for its report. */
export const strings = {
  notPermitted: 'You need permission to import records. An admin can change your role.',
  allCompanies: 'All companies',

  file: 'File',
  drop: 'Drop a list here, or click to choose one',
  dropHelp:
    'CSV, TSV, or text of any size, Excel (.xlsx, .xls), or OpenDocument (.ods). It may be compressed (.gz).',
  fileLabel: 'Choose a file to import',
  wrongType: 'This file cannot be imported. Choose one .csv, .tsv, .txt, .xlsx, .xls, .ods, or .gz file.',
  chooseAnother: 'Choose another file',

  workbook: 'Workbook',
  encodingIs: (encoding: string) => encoding,
  sheetIs: (sheet: string) => `Sheet “${sheet}”`,
  separatedBy: {
    ',': 'Separated by commas',
    ';': 'Separated by semicolons',
    '\t': 'Separated by tabs',
    '|': 'Separated by vertical bars',
  },
  headerIs: (row: number) => `Column names in row ${formatNumber(row)}`,
  noHeader: 'No column names',
  change: 'Change',
  changeReading: 'Change how the file is read',
  hide: 'Hide',
  hideReading: 'Hide how the file is read',
  encoding: 'Encoding',
  encodings: {
    'utf-8': 'Unicode (UTF-8)',
    'utf-16le': 'Unicode (UTF-16 LE)',
    'utf-16be': 'Unicode (UTF-16 BE)',
    'windows-1252': 'Western European (Windows-1252)',
    'windows-1250': 'Central European (Windows-1250)',
    'windows-1251': 'Cyrillic (Windows-1251)',
    'windows-1253': 'Greek (Windows-1253)',
    'windows-1254': 'Turkish (Windows-1254)',
    'windows-1255': 'Hebrew (Windows-1255)',
    'windows-1256': 'Arabic (Windows-1256)',
    'windows-1257': 'Baltic (Windows-1257)',
    'windows-1258': 'Vietnamese (Windows-1258)',
    'windows-874': 'Thai (Windows-874)',
    'iso-8859-2': 'Central European (ISO-8859-2)',
    'iso-8859-5': 'Cyrillic (ISO-8859-5)',
    'iso-8859-15': 'Western European (ISO-8859-15)',
    cp850: 'Western European, DOS (CP850)',
    cp437: 'United States, DOS (CP437)',
    cp852: 'Central European, DOS (CP852)',
    cp866: 'Cyrillic, DOS (CP866)',
    'koi8-r': 'Cyrillic (KOI8-R)',
    'koi8-u': 'Ukrainian (KOI8-U)',
    macintosh: 'Western European (Mac Roman)',
    gb18030: 'Chinese, simplified (GB18030)',
    big5: 'Chinese, traditional (Big5)',
    shift_jis: 'Japanese (Shift JIS)',
    'euc-jp': 'Japanese (EUC-JP)',
    'euc-kr': 'Korean (EUC-KR)',
  } as Record<string, string>,
  looksLike: (names: string) => `Looks like: ${names}`,
  delimiter: 'Separator',
  delimiters: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' },
  sheet: 'Sheet',
  headerRow: 'Which row has the column names?',
  headerHelp: 'Rows above it are skipped.',
  firstRows: 'The first rows of the file',
  moreCells: (count: number) => `+${formatNumber(count)}`,

  columns: 'Columns',
  columnsHelp: 'Match each column to a field. Recognized columns are matched already.',
  column: 'Column',
  samples: 'Sample values',
  noSamples: 'Blank in the first rows',
  field: 'Field',
  unnamedColumn: '(no name)',
  fieldOf: (column: string) => `Field for column ${column}`,
  doNotImport: 'Do not import',
  createField: 'Create field…',
  createFieldsForAll: (count: number) => `Create fields for ${formatNumber(count)} other columns`,
  customFields: 'Custom fields',
  unnamedField: 'Field',
  newFieldLabel: (column: string) => `Label of the new field for column ${column}`,
  newFieldType: (column: string) => `Type of the new field for column ${column}`,
  guessing: 'Detecting…',
  newFields: (count: number) => (count === 1 ? '1 new field' : `${formatNumber(count)} new fields`),
  moreOptions: (shown: string, hidden: number) => `${shown}, and ${formatNumber(hidden)} more`,
  readFirst: 'Used first',
  readSecond: 'Used if the other is blank',
  readNext: 'Used if the others are blank',
  furtherColumns: 'Use where another column is blank',
  furtherColumn: (field: string, column: string) => `${field}, where “${column}” is blank`,
  showAllColumns: (count: number) => `Show all ${formatNumber(count)} columns`,
  identifyBy: 'How should rows be matched?',
  identifyByHelp: 'If you choose an id, rows with the same id are one company, even if their names differ.',
  identifyByName: 'By name, website, and location',
  fields,
  /** The labels of the built-in fields of each kind of record. */
  fieldsOf: { company: fields, person: personFields, note: noteFields, deal: dealFields },

  formats: 'Numbers, amounts, and dates',
  formatsHelp: 'Detected for each column from all its values. Check the examples.',
  formatsOpen: (count: number) =>
    count === 1
      ? 'One column needs an answer. Cells that depend on it are left blank until then.'
      : `${formatNumber(count)} columns need an answer. Cells that depend on it are left blank until then.`,
  openCurrency: {
    sign: (signs: string[]) => `Which currency is ${formatList(signs)}?`,
    other: (currencies: string[], stored: string) =>
      `This field is in ${stored}. Amounts in ${formatList(currencies)} are left blank.`,
    rates: (currencies: string[]) =>
      `How much ${currencies.length === 1 ? 'is' : 'are'} ${formatList(currencies.map((one) => `1 ${one}`))} in euros? Until you enter a rate, these amounts are left blank.`,
  },
  examplesOf: (column: string) => `Examples from ${column}`,
  storedAs: 'stored as ',
  blank: 'blank',
  decimal: 'Decimals',
  decimals: { '.': 'Point: 1,234.5', ',': 'Comma: 1.234,5' },
  unit: 'Unit',
  units: { one: 'As written', thousand: 'Thousands', million: 'Millions', billion: 'Billions' },
  currency: 'Currency',
  choose: 'Choose…',
  rateOf: (currency: string) => `1 ${currency} is`,
  ratePlaceholder: 'Rate',
  dateOrder: 'Dates',
  dateOrders: { dmy: 'Day/month/year', mdy: 'Month/day/year', ymd: 'Year/month/day' },
  detected: 'Detected',
  formatOf: (setting: string, column: string) => `${setting} of ${column}`,
  whatIs: (cell: string) => `What does “${cell}” mean?`,
  questionOf: (cell: string, column: string) => `What “${cell}” means in column ${column}`,
  questions: {
    decimal: 'Is the point or the comma the decimal sign?',
    date_order: 'Does the day or the month come first?',
  },

  outcome: 'What will happen',
  outcomeAfter: 'What happened',
  checking: 'Checking every row. Nothing is saved yet.',
  checkingShare: (share: number) => `Checking every row. ${formatPercent(share)} of the file sent.`,
  checkingSize: (size: string) => `Checking every row (${size})`,
  sendingSize: (sent: string, size: string) => `Sending the file: ${sent} of ${size}`,
  largeFile: 'A large file may take a minute.',
  cannotImport: 'This file cannot be imported',
  choiceRefused: 'The file cannot be imported with these settings',
  notChecked: 'The file could not be checked',
  otherSheets: 'The names may be on another sheet:',
  checkAgain: 'Check again',
  matching: 'A row updates a record if it is clearly the same one. Blank cells never clear a field.',
  importNothing: 'Import',
  /** The companies that are restored are among the changed and the unchanged ones. */
  import: ({ created, updated, restored }: Record<'created' | 'updated' | 'restored', number>) => {
    const parts = [
      created > 0 && `${formatNumber(created)} new`,
      updated > 0 && `${formatNumber(updated)} changed`,
    ].filter(Boolean)
    if (parts.length === 0)
      return restored === 1 ? 'Restore 1 record' : `Restore ${formatNumber(restored)} records`
    const also = restored > 0 ? ` (${formatNumber(restored)} restored)` : ''
    return `Import ${rows(created + updated)}: ${parts.join(', ')}${also}`
  },
  nothingToImport: 'Nothing to import',
  allUnchanged: 'The records in this file already have these values.',
  allTrashed: (count: number, isAll: boolean, mayRestore: boolean) => {
    const isOne = count === 1
    const about = isOne ? 'is about a record in the trash' : 'are about records in the trash'
    const subject = isAll ? (isOne ? 'The only row' : `All ${rows(count)}`) : rows(count)
    return `${subject} ${about}.${mayRestore ? ` Choose Restore to import ${isOne ? 'it' : 'them'}.` : ''}`
  },
  allLeftOut: 'Every row is left out.',
  noRowsBelow: 'The file has no rows below the column names.',
  noRows: 'The file has no rows.',
  allRead: 'Every row was read.',
  openColumns: (count: number) =>
    count === 1 ? '1 column needs an answer' : `${formatNumber(count)} columns need an answer`,
  openQuestions: (count: number) =>
    count === 1 ? '1 open question' : `${formatNumber(count)} open questions`,
  answeredQuestions: (count: number) =>
    count === 1 ? '1 question answered' : `${formatNumber(count)} questions answered`,
  trashedRows: (count: number) => `${rows(count)} in the trash`,
  badCells: (count: number) => (count === 1 ? '1 cell to check' : `${formatNumber(count)} cells to check`),
  failedRows: (count: number) => `${rows(count)} with errors`,
  leftOutRows: (count: number) => `${rows(count)} left out`,
  unchangedRows: (count: number) => `${formatNumber(count)} unchanged`,
  ignoredColumns: (count: number) =>
    count === 1 ? '1 column not imported' : `${formatNumber(count)} columns not imported`,

  importing: 'Importing',
  uploadingShare: (share: number) => `${formatPercent(share)} of the file uploaded`,
  savingShare: (share: number | undefined) =>
    share === undefined || share === 1
      ? 'File uploaded. Saving the rows…'
      : `File uploaded. ${formatPercent(share)} of it imported`,
  keepOpen: 'Keep this page open until the file is uploaded.',
  mayLeave:
    'You can leave or close this page. The import continues, and this screen lists its progress and result.',
  stop: 'Stop',
  safeToRepeat: 'You can safely import the same file again. Nothing is duplicated.',

  stopped: 'Import stopped',
  stoppedHelp: 'Rows saved so far are kept. Import the same file again to continue.',
  interrupted: 'The import was interrupted',
  interruptedHelp:
    'The connection was lost, or the file changed. Rows saved so far are kept. Import the same file again to continue.',
  connectionLost: 'The connection was lost',
  connectionLostHelp:
    'The file had been uploaded, so the import continues without this page. The list shows its progress and result.',
  tooLarge:
    'A proxy in front of this service rejects files of this size. Ask your administrator to raise the limit, or split the file.',
  notImported: 'The file was not imported',
  importAgain: 'Import again',

  leaveTitle: 'Leave while the import is running?',
  leaveHelp: 'Leaving stops the import. Rows saved so far are kept.',
  stay: 'Stay',
  leave: 'Stop and leave',

  done: 'Import complete',
  doneHelp: (file: string) => `${file} was imported.`,
  doneNothing: (file: string) => `${file} contained nothing new.`,
  viewCompanies: 'View companies',
  importAnother: 'Import another file',
  undo: 'Undo this import',
}

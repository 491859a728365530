/** Text of the history of a record. */
export const strings = {
  title: 'History',
  empty: 'No changes yet',
  emptyHelp: 'Field changes appear here with the old and new values.',
  emptyForField: 'This field has not changed yet.',
  field: 'Field',
  allFields: 'All fields',
  before: 'Before',
  after: 'After',
  showWhole: 'Show all',
  wholeOf: (field: string) => `Full values of ${field}`,
}

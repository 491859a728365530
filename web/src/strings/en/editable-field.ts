/** Text of a field that is edited in place. */
export const strings = {
  edit: (label: string) => `Edit ${label}: `,
  empty: 'empty',
  hint: 'Enter or F2 to edit',
  save: 'Save',
  cancel: 'Cancel',
  saving: 'Saving…',
  saved: 'Saved',
  saveKeys: 'Ctrl+Enter to save, Escape to cancel',
  noneOption: 'None',
  conflictTitle: 'Someone else changed this field.',
  conflictHelp: 'Nothing is lost. Choose which version to keep.',
  theirs: 'Theirs',
  mine: 'Yours',
  useTheirs: 'Use theirs',
  keepMine: 'Keep mine',
}

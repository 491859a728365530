/** Words of a value that is changed in place. */
export const strings = {
  edit: (label: string) => `Edit ${label}: `,
  nothing: 'nothing',
  hint: 'Enter or F2 to edit',
  save: 'Save',
  cancel: 'Cancel',
  saving: 'Saving …',
  saved: 'Saved',
  saveKeys: 'Ctrl + Enter saves, Escape cancels',
  noneOption: 'None',
  nothingFound: 'Nothing found',
  changedTitle: 'Somebody else has changed this',
  changedExplained: 'Nothing of it is lost: choose which of the two is kept.',
  theirs: 'Theirs',
  mine: 'Yours',
  takeTheirs: 'Take theirs',
  keepMine: 'Keep mine',
}

/** Text that compares two versions of a record that two people changed. */
export const strings = {
  help: 'Nothing is lost. Compare both versions and choose one.',
  theirs: 'Theirs (saved)',
  mine: 'Yours (not saved)',
  onlyTheirs: (fields: string) => `Changed only by them, and kept either way: ${fields}.`,
  saved: 'Saved',
  typed: 'Here (not saved)',
  onlySaved: (fields: string) => `Changed only in the saved version, and kept either way: ${fields}.`,
  noValue: 'Empty',
}

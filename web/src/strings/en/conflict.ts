/** Text that compares two versions of a record that two people changed. */
export const strings = {
  help: 'Nothing is lost. Compare both versions and choose one.',
  theirs: 'Theirs (saved)',
  mine: 'Yours (not saved)',
  onlyTheirs: (fields: string) => `Changed only by them, and kept either way: ${fields}.`,
  noValue: 'Empty',
}

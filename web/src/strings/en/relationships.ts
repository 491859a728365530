/** Text of who knows a company or a person, and of briefs. */
export const strings = {
  title: 'Who knows them',
  warmestPath: 'Warmest path',
  path: (meetings: number, contacts: number, colleague: string, person: string | null) => {
    const times = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
    const what =
      meetings > 0
        ? times(meetings, 'meeting', 'meetings')
        : contacts > 0
          ? times(contacts, 'contact', 'contacts')
          : 'earlier contacts'
    return person ? `${what} of ${colleague} with ${person}` : `${what} of ${colleague}`
  },
  last: (month: string) => `, last contact in ${month}`,
  strength: (name: string, strength: number) => `Strength of ${name}: ${strength} of 100`,
  inYear: (contacts: number) => (contacts === 1 ? '1 contact in a year' : `${contacts} contacts in a year`),
  showAll: (count: number) => `Show all ${count}`,
  showFewer: 'Show fewer',
  lastContact: 'Last contact',
  lastContactBy: 'Last contact by',
  contactsInYear: 'Contacts in a year',

  brief: 'Brief',
  openBrief: 'Open the brief',
  copy: 'Copy as Markdown',
  copied: 'Copied.',
  notCopied: 'The browser did not allow copying.',
  print: 'Print',
  back: 'Back',
}

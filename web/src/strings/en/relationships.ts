/** Text of who knows a company or a person, and of briefs. */
export const strings = {
  title: 'Who knows them',
  warmestPath: 'Warmest path',
  path: (meetings: number, contacts: number, colleague: string): string => {
    if (meetings > 0)
      return `${colleague} had ${meetings === 1 ? '1 meeting' : `${meetings} meetings`} in the last year`
    if (contacts > 0)
      return `${colleague} had ${contacts === 1 ? '1 contact' : `${contacts} contacts`} in the last year`
    return `${colleague} was in contact earlier`
  },
  with: 'with',
  last: (month: string) => `, last contact in ${month}`,
  strength: (name: string, strength: number) => `Strength of ${name}: ${strength} of 100`,
  inYear: (contacts: number) =>
    contacts === 1 ? '1 contact in the last year' : `${contacts} contacts in the last year`,
  showAll: (count: number) => `Show all ${count}`,
  showFewer: 'Show fewer',
  lastContact: 'Last contact',
  lastContactBy: 'Last contact by',
  contactsInYear: 'Contacts in the last year',

  brief: 'Brief',
  openBrief: 'Open the brief',
  copy: 'Copy as Markdown',
  copied: 'Copied.',
  notCopied: 'The browser did not allow copying.',
  print: 'Print',
  back: 'Back',
}

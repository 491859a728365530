/** Text of fields for dates and times. */
export const strings = {
  placeholder: 'Such as “in 2 weeks”',
  pastPlaceholder: 'Such as “3 days ago”',
  timePlaceholder: 'Such as “tomorrow 3pm”',
  pastTimePlaceholder: 'Such as “yesterday 3pm”',
  openCalendar: 'Open the calendar',
  calendar: (label: string) => `Calendar: ${label}`,
  /** Also how these days can be typed. */
  shortcuts: ['Today', 'Tomorrow', 'Next week', 'In 2 weeks', 'In a month'],
  pastShortcuts: ['Today', 'Yesterday', 'A week ago', 'A month ago'],
  shortcutsLabel: 'Shortcuts',
  clear: 'Clear',
  time: 'Time',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  previousYear: 'Previous year',
  nextYear: 'Next year',
  previousDecade: 'Previous decade',
  nextDecade: 'Next decade',
  chooseMonth: (month: string) => `${month}, choose another month`,
  chooseYear: (year: string) => `${year}, choose another year`,
  notADay: (text: string) =>
    `“${text}” is not a date. Try 31 March, 2027-03-31, next Tuesday, or in 2 weeks.`,
  dayOnly: (text: string) => `“${text}” has a time, and this field takes only a day.`,
  notAMoment: (text: string) =>
    `“${text}” is not a date with a time. Try 31 March 14:30, tomorrow 3pm, or in 2 hours.`,
  year: (min: number, max: number) => `Use a year from ${min} to ${max}.`,
  tooEarly: (first: string) => `Enter ${first} or a later date.`,
  tooLate: (last: string) => `Enter ${last} or an earlier date.`,
}

const UNITS = { d: 'day', w: 'week', m: 'month', y: 'year' }
const plural = (count: number, unit: keyof typeof UNITS): string =>
  `${count} ${UNITS[unit]}${count === 1 ? '' : 's'}`

const listed = (words: readonly string[], last: 'and' | 'or'): string => {
  if (words.length < 3) return words.join(` ${last} `)
  return `${words.slice(0, -1).join(', ')}, ${last} ${words.at(-1)}`
}

/** Text of filters. */
export const strings = {
  filter: 'Filter',
  active: 'active',
  title: 'Filter',
  activeFilters: 'Active filters',
  clear: 'Clear filters',
  done: 'Done',
  addCondition: 'Add condition',
  addGroup: 'Add group',
  limit: (max: number) => `A filter can have up to ${max} conditions.`,
  unreadable: 'The filter in the URL is not valid. Adding a filter replaces it.',

  condition: (position: number) => `Condition ${position}`,
  group: (position: number) => `Group ${position}`,
  where: 'Where',
  exceptWhere: 'Except where',
  start: 'How the group starts',
  and: 'and',
  or: 'or',
  conjunction: 'Conjunction',
  field: 'Field',
  chooseField: 'Choose a field…',
  fields: 'Fields',
  customFields: 'Custom fields',
  operator: 'Operator',
  value: 'Value',
  first: 'From',
  last: 'To',
  amount: 'Number',
  unit: 'Unit',
  chooseValue: 'Choose…',
  enterDate: 'Such as 31 March or -30d',
  /** After the words for a day such as `-30d`. */
  moving: (day: string) => `${day}, whenever the filter is used`,
  enterValue: 'Enter a value…',
  removeCondition: (position: number) => `Remove condition ${position}`,
  removeGroup: (position: number) => `Remove group ${position}`,
  me: 'Me',
  record: 'Record',
  units: { d: 'days', w: 'weeks', m: 'months', y: 'years' },

  operators: {
    choice: {
      in: 'is',
      not_in: 'is not',
      is_empty: 'is empty',
      is_not_empty: 'is not empty',
    },
    text: {
      contains: 'contains',
      not_contains: 'does not contain',
      starts_with: 'starts with',
      not_starts_with: 'does not start with',
      in: 'is',
      not_in: 'is not',
      is_empty: 'is empty',
      is_not_empty: 'is not empty',
    },
    number: {
      gte: 'is at least',
      lte: 'is at most',
      gt: 'is more than',
      lt: 'is less than',
      between: 'is between',
      eq: 'is',
      ne: 'is not',
      is_empty: 'is empty',
      is_not_empty: 'is not empty',
    },
    date: {
      last: 'is in the last',
      next: 'is in the next',
      ago: 'is more than … ago',
      lt: 'is before',
      gt: 'is after',
      eq: 'is on',
      ne: 'is not on',
      gte: 'is on or after',
      lte: 'is on or before',
      between: 'is between',
      is_empty: 'is empty',
      is_not_empty: 'is not empty',
    },
    boolean: {
      yes: 'is yes',
      no: 'is no',
      is_empty: 'is empty',
      is_not_empty: 'is not empty',
    },
    json: { is_empty: 'is empty', is_not_empty: 'is not empty' },
  },

  sentence: (field: string, operator: string, value: string) =>
    [field, operator, value].filter(Boolean).join(' '),
  remove: (what: string) => `Remove filter ${what}`,
  either: (words: readonly string[]) => listed(words, 'or'),
  both: (words: readonly string[]) => listed(words, 'and'),
  more: (count: number) => `${count} more`,
  empty: 'empty',
  chosen: (count: number) => `one of ${count} selected`,
  not: (what: string) => `not (${what})`,
  inParentheses: (what: string) => `(${what})`,
  yes: 'yes',
  no: 'no',
  today: 'today',
  /** Before a day such as "today" or "3 days from now". */
  beforeRelativeDay: { eq: 'is', ne: 'is not', gt: 'is more than' },
  period: (count: number, unit: keyof typeof UNITS) => (count === 1 ? UNITS[unit] : plural(count, unit)),
  ago: (count: number, unit: keyof typeof UNITS) => `${plural(count, unit)} ago`,
  ahead: (count: number, unit: keyof typeof UNITS) => `${plural(count, unit)} from now`,
  unreadablePart: 'Invalid condition',
}

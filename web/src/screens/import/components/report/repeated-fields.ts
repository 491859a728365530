/** Whether a field says the same as another one: a code of a country is read as the name of the country. */
export const isRepeated = (field: string, textOf: (field: string) => string): boolean =>
  field === 'country_code' && ['', textOf('country')].includes(textOf(field))

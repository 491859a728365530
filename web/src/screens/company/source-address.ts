/** The address of the CSV row that a company was imported from. */
export const sourceAddress = (id: string): string => `/assets/companies/${encodeURIComponent(id)}/source.csv`

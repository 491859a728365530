/** Text of a deal wherever it is shown. */
export const strings = {
  company: 'Company',
  people: 'People of the company',
  score: 'Score',
  broughtDeals: (count: number) =>
    count === 1 ? 'Brought 1 deal' : `Brought ${count.toLocaleString()} deals`,
  allDeals: (count: string) => `All ${count}`,
}

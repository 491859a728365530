import type { Demo } from './demo.ts'

/** Records that screens show. */
export type Shown = Record<'company', string>

/** Chooses records of the demo to show. */
export async function shownRecords({ api }: Demo): Promise<Shown> {
  const [company] = (await api.listCompanies({ querystring: { limit: 1, sort: '-llm_score_overall' } })).data
  return { company: company?.id ?? '' }
}

/** Fills the ids of records into an address. */
export const addressOf = (address: string, shown: Shown): string =>
  address.replace(/\{(\w+)\}/, (_match, record: keyof Shown) => shown[record])

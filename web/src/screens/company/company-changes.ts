import type { CompanyDetail, CompanyPatch } from '#web/api/service.ts'

export type CompanyRecord = CompanyDetail['company']

/** The company after a change. As in the API, custom fields that are not sent keep their values, and null clears one. */
export function withChanges(company: CompanyRecord, { custom, ...changes }: CompanyPatch): CompanyRecord {
  const changed = { ...company, ...changes } as CompanyRecord
  if (!custom) return changed
  const values = Object.entries({ ...company.custom, ...custom }).filter(([, value]) => value !== null)
  return { ...changed, custom: Object.fromEntries(values) }
}

/** The change that restores what another one changed. */
export function reversal(before: CompanyRecord, { custom, ...changes }: CompanyPatch): CompanyPatch {
  const fields = Object.entries(before).filter(([key]) => key in changes)
  const values = Object.keys(custom ?? {}).map((key) => [key, before.custom[key] ?? null])
  return { ...Object.fromEntries(fields), ...(custom && { custom: Object.fromEntries(values) }) }
}

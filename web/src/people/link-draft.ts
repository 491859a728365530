import { strings } from '#strings/people.ts'
import { type CompanyLink, service } from '#web/api/service.ts'
import type { ChosenRecord } from '#web/fields/record-select.tsx'
import { parsePartialDate } from '#web/format/partial-date.ts'

/** How a person is linked to a company, while it is typed. */
export interface LinkDraft {
  role: string
  /** As it was typed: a day, a month, or a year. */
  from: string
  until: string
  is_primary: boolean
}

export const EMPTY_LINK: LinkDraft = { role: '', from: '', until: '', is_primary: false }

type Link = Pick<CompanyLink, 'role' | 'from' | 'until' | 'is_primary'>

export const draftOfLink = ({ role, from, until, is_primary }: Link): LinkDraft => ({
  role: role ?? '',
  from: from ?? '',
  until: until ?? '',
  is_primary,
})

/** The link as the service takes it. */
export const linkOfDraft = ({ role, from, until, is_primary }: LinkDraft): Link => ({
  role: role.trim() || null,
  from: firstDay(from) ?? null,
  until: lastDay(until) ?? null,
  is_primary,
})

/** The date that a text stands for; null if it is empty; undefined if it is not a date. */
export const firstDay = (from: string) => parsePartialDate(from, 'first')
export const lastDay = (until: string) => parsePartialDate(until, 'last')

/** The problems with the dates, by field. */
export function problemsOfLink(draft: LinkDraft): { from?: string; until?: string } {
  const [from, until] = [firstDay(draft.from), lastDay(draft.until)]
  return {
    ...(from === undefined && { from: strings.invalidDate }),
    ...(until === undefined && { until: strings.invalidDate }),
    ...(from && until && until < from && { until: strings.untilBeforeFrom }),
  }
}

/** The id of a chosen company, which is created if it is new. */
export const idOfCompany = async ({ id, name }: ChosenRecord): Promise<string> =>
  id || (await service.createCompany({ body: { name } })).data.id

import { type CompanyLink, service } from '#web/api/service.ts'
import type { ChosenRecord } from '#web/fields/record-select.tsx'

/** How a person is linked to a company, while it is typed. */
export interface LinkDraft {
  role: string
  from: string | null
  until: string | null
  is_primary: boolean
}

export const EMPTY_LINK: LinkDraft = { role: '', from: null, until: null, is_primary: false }

type Link = Pick<CompanyLink, 'role' | 'from' | 'until' | 'is_primary'>

export const draftOfLink = ({ role, from, until, is_primary }: Link): LinkDraft => ({
  role: role ?? '',
  from,
  until,
  is_primary,
})

/** The link as the service takes it. */
export const linkOfDraft = ({ role, from, until, is_primary }: LinkDraft): Link => ({
  role: role.trim() || null,
  from,
  until,
  is_primary,
})

/** Whether the last day is not before the first one. */
export const areDatesInOrder = ({ from, until }: LinkDraft): boolean =>
  from === null || until === null || from <= until

/** The id of a chosen company, which is created if it is new. */
export const idOfCompany = async ({ id, name }: ChosenRecord): Promise<string> =>
  id || (await service.createCompany({ body: { name } })).data.id

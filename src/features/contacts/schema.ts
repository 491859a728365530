import { type Static, type TObject, Type } from 'typebox'
import { Nullable, Timestamp } from '#src/platform/schema/shapes.ts'

/** The kinds of notes that are contacts. */
export const CONTACT_KINDS = ['call', 'meeting', 'email'] as const

/** What companies and people show of calls, meetings, and emails. Read-only. */
export const contactProperties = {
  last_contact_at: Nullable({
    ...Timestamp,
    description:
      'When the team last had a call, a meeting, or an email exchange, as its notes say. Null: never. Private notes and ' +
      'those for later do not count. Read-only.',
  }),
  last_contact_by: Nullable(
    Type.String({
      description: 'The email address of the author of the note about the last contact. Read-only.',
    }),
  ),
  contacts_last_year: Type.Integer({
    minimum: 0,
    description: 'The number of contacts of the last 365 days. Read-only.',
  }),
}
export type ContactColumns = Static<TObject<typeof contactProperties>>

export const contactNames = Object.keys(contactProperties) as (keyof ContactColumns)[]

export const contactExample: ContactColumns = {
  last_contact_at: '2026-02-24T14:00:00.000Z',
  last_contact_by: 'ada@example.com',
  contacts_last_year: 6,
}

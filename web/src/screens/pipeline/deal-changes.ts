import type { Client } from '#src/client/client.ts'
import type { Deal } from '#web/api/service.ts'

/** Fields to change, as the service takes them. `custom` has only the values that change. */
export type DealChanges = Parameters<Client['updateDeal']>[0]['body']

/** The deal with changes, as it will be once they are saved. */
export const withChanges = (deal: Deal, { custom, ...changes }: DealChanges): Deal =>
  ({ ...deal, ...changes, custom: { ...deal.custom, ...custom } }) as Deal

/** The previous values of the changed fields, in the same form. */
export function previousValues(deal: Deal, changes: DealChanges): DealChanges {
  const record = deal as Record<string, unknown>
  const previous = Object.fromEntries(Object.keys(changes).map((field) => [field, record[field] ?? null]))
  if (!changes.custom) return previous
  const keys = Object.keys(changes.custom)
  return { ...previous, custom: Object.fromEntries(keys.map((key) => [key, deal.custom[key] ?? null])) }
}

/** Whether every field that changes still has its previous value in the newest version, or has the new one already. */
export function isUntouched(seen: Deal, changes: DealChanges, newest: Deal): boolean {
  const before = flat(previousValues(seen, changes))
  const now = flat(previousValues(newest, changes))
  return Object.entries(flat(changes)).every(([field, value]) => [before[field], value].includes(now[field]))
}

/** The values as comparable text. */
const flat = ({ custom, ...changes }: DealChanges): Record<string, string> =>
  Object.fromEntries(
    [
      ...Object.entries(changes),
      ...Object.entries(custom ?? {}).map(([key, value]) => [`custom.${key}`, value]),
    ].map(([field, value]) => [field, JSON.stringify(value ?? null)]),
  )

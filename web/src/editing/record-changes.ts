import { hashKey } from '@tanstack/react-query'

type Fields = Record<string, unknown>
/** Fields of a record, or some of them. Its custom fields are in `custom`. */
type WithCustom = object & { custom?: object | undefined }

/** Whether two values have the same content, whatever the order of keys. */
export const isEqual = (one: unknown, other: unknown): boolean => hashKey([one]) === hashKey([other])

/** The fields in which two versions of a record differ. */
export const changedFields = <T extends object>(one: T, other: T): (keyof T & string)[] =>
  (Object.keys(one) as (keyof T & string)[]).filter((field) => !isEqual(one[field], other[field]))

/** Some fields of a record. */
export const pick = <T extends object, K extends keyof T>(record: T, fields: readonly K[]): Pick<T, K> =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<T, K>

/** A record after a change. As in the API, custom fields that are not sent keep their values, and null clears one. */
export function withChanges<T extends WithCustom>(record: T, { custom, ...changes }: WithCustom): T {
  if (!custom) return { ...record, ...changes }
  const values = Object.entries({ ...record.custom, ...custom }).filter(([, value]) => value !== null)
  return { ...record, ...changes, custom: Object.fromEntries(values) }
}

/** The change that restores what another one changes. */
export function previousValues<C extends WithCustom>(record: object, { custom, ...changes }: C): C {
  const previous = valuesIn(record, changes)
  return (custom ? { ...previous, custom: valuesIn(customOf(record), custom) } : previous) as C
}

const valuesIn = (record: object, changes: object): Fields =>
  Object.fromEntries(Object.keys(changes).map((field) => [field, (record as Fields)[field] ?? null]))

/** Whether every field that changes still has its previous value in the newest version, or has the new one already. */
export const isUntouched = (seen: object, { custom = {}, ...changes }: WithCustom, newest: object): boolean =>
  areUntouched(seen, changes, newest) && areUntouched(customOf(seen), custom, customOf(newest))

const areUntouched = (seen: object, changes: object, newest: object): boolean =>
  Object.entries(changes).every(([field, value]) =>
    [value, (seen as Fields)[field]].some((known) => isEqual(known, (newest as Fields)[field])),
  )

const customOf = ({ custom }: WithCustom): object => custom ?? {}

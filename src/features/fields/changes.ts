import type { CustomValues } from './schema.ts'

const PREFIX = 'custom.'

/** How history, filters and errors call a custom field. */
export const customName = (key: string): string => `${PREFIX}${key}`

/** The key of a custom field that is called `custom.<key>`; undefined for other names. */
export const customKey = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined

/** A record with each custom value as a separate field, `custom.<key>`, as history has them. */
export const withCustomNames = <T extends { custom?: CustomValues | undefined }>(
  record: T,
): Omit<T, 'custom'> => {
  const { custom = {}, ...others } = record
  const values = Object.entries(custom).map(([key, value]) => [customName(key), value])
  return { ...others, ...Object.fromEntries(values) }
}

/** The reverse of `withCustomNames`. Fields `custom.<key>` are put into `custom`; null removes one. */
export function withCustomValues<T extends object>(
  record: T,
  custom: CustomValues = {},
): T & { custom: CustomValues } {
  const values: CustomValues = { ...custom }
  const others: [string, unknown][] = []
  for (const [name, value] of Object.entries(record)) {
    const key = customKey(name)
    if (key === undefined) others.push([name, value])
    else if (value === null) delete values[key]
    else values[key] = value
  }
  return { ...Object.fromEntries(others), custom: values } as T & { custom: CustomValues }
}

/** The names of the fields that a patch sets. With `custom`, which are then all custom values, those before and after. */
export const patchedNames = (
  { custom }: { custom: CustomValues },
  patch: { custom?: CustomValues | undefined },
): string[] => Object.keys({ ...(patch.custom && withCustomNames({ custom })), ...withCustomNames(patch) })

/** The names of the custom fields whose values differ, and of all other fields in `fields`. */
export const changedNames = (fields: string[], before: CustomValues, after: CustomValues): string[] =>
  fields.flatMap((field) => (field === 'custom' ? changedKeys(before, after).map(customName) : [field]))

const changedKeys = (before: CustomValues, after: CustomValues): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )

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
export function patchedNames(
  { custom: before }: { custom: CustomValues },
  { custom, ...others }: { custom?: CustomValues | undefined },
): string[] {
  const keys = custom ? Object.keys({ ...before, ...custom }) : []
  return [...Object.keys(others), ...keys.map(customName)]
}

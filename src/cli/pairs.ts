import type { ColumnMapping } from './import.ts'
import { UsageError } from './input-error.ts'

type Pair = readonly [name: string, value: string]

function parsePairs(option: string, texts: readonly string[]): Pair[] {
  return texts.map((text) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (!name || value === undefined) throw new UsageError(`--${option} must be NAME=VALUE, not "${text}".`)
    return [name, value]
  })
}

/** The mapping of an import: columns by field, and those that fields are created for. */
export function readMapping(mapped: readonly string[], created: readonly string[]): ColumnMapping {
  const columns = parsePairs('map', mapped)
  const newFields = parsePairs('create', created)
  const names = [...columns, ...newFields].map(([name]) => name)
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated) throw new UsageError(`The field ${repeated} must be in only one --map or --create.`)
  const other = newFields.find(([name]) => !name.startsWith('custom.'))
  if (other)
    throw new UsageError(
      `--create must name a custom field, such as custom.vip=VIP, not "${other.join('=')}".`,
    )
  return Object.fromEntries([...columns, ...newFields.map(([name, column]) => [name, { column }] as const)])
}

/** The values of each filter. Several values match any of them. */
export const readFilters = (texts: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(parsePairs('filter', texts), ([name]) => name)].map(([name, pairs]) => [
      name,
      pairs.map(([, value]) => value),
    ]),
  )

import { isDeepStrictEqual } from 'node:util'
import { foldTag } from '#src/features/companies/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { MAX_CONFLICT_BYTES, type MergeConflict } from './schema.ts'

/** The record whose value a field takes, by field. */
export type Choices = Readonly<Record<string, string>>

/** This field's keys are merged like fields, as `custom.<key>`. */
const KEYED_FIELD = 'custom'
const KEY_PREFIX = `${KEYED_FIELD}.`

type Fields = Record<string, unknown>

/** How records of a kind are merged. */
export interface MergeRules {
  one: string
  several: string
  /** The editable fields. Lists of words have at most `maxItems`. */
  properties: Readonly<Record<string, object>>
  /** Without a choice, a field comes from the record that this other field comes from. */
  companions: Readonly<Record<string, string>>
  /** Whether the conflicts list what does not fit into a united list. Otherwise, it must be chosen. */
  leavesOut: boolean
}

/** The result of merging fields. */
export interface MergedFields<Patch> {
  fields: Patch
  conflicts: MergeConflict[]
}

/**
 * The fields that a merged record has.
 * @param merged the survivor first, then the others in the order of the request
 * @throws InvalidInput if a choice names an unknown field, or a record that is not one of these, or if a united list is
 *   too long
 */
export function mergeFields<Patch>(
  rules: MergeRules,
  merged: readonly { id: string }[],
  choose: Choices,
): MergedFields<Patch> {
  const records = merged.map((record) => ({ id: record.id, fields: flatten(rules, record) }))
  const names = [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))]
  requireKnown(
    rules,
    choose,
    names,
    records.map(({ id }) => id),
  )
  const fields: Fields = {}
  const conflicts: MergeConflict[] = []
  for (const name of names) {
    const values = records.map(({ id, fields }) => ({ id, value: fields[name] ?? null }))
    const present = values.filter(({ value }) => !isEmpty(value))
    if (choose[name] === undefined && present.length > 0 && present.every(({ value }) => isWordList(value))) {
      const { united, left_out } = unite(
        rules,
        name,
        present.map(({ value }) => value as string[]),
      )
      fields[name] = united
      if (left_out.length > 0) conflicts.push({ ...conflictOf(name, values, values[0]?.id ?? ''), left_out })
      continue
    }
    const source = sourceOf(rules, name, present, choose, records) ?? (values[0] as Value)
    fields[name] = values.find(({ id }) => id === source.id)?.value ?? null
    if (present.some(({ value }) => !isDeepStrictEqual(value, present[0]?.value)))
      conflicts.push(conflictOf(name, values, source.id))
  }
  return { fields: unflatten(fields) as Patch, conflicts }
}

/** @throws InvalidInput if the lists are too long together */
function unite(
  { one, properties, leavesOut }: MergeRules,
  name: string,
  lists: readonly string[][],
): { united: string[]; left_out: string[] } {
  const keyOf = name === 'tags' ? foldTag : String
  const byKey = new Map<string, string>()
  for (const word of lists.flat()) if (!byKey.has(keyOf(word))) byKey.set(keyOf(word), word)
  const words = [...byKey.values()]
  const { maxItems = Number.POSITIVE_INFINITY } = (properties[name] ?? {}) as { maxItems?: number }
  if (words.length > maxItems && !leavesOut)
    throw new InvalidInput(
      `${name} would have ${words.length} entries, and may have at most ${maxItems}. choose.${name} takes those of one ${one}.`,
    )
  return { united: words.slice(0, maxItems), left_out: words.slice(maxItems) }
}

/** The value of a record. */
export interface Value {
  id: string
  value: unknown
}

/** Where a field's value comes from; undefined: no record has one. */
function sourceOf(
  rules: MergeRules,
  name: string,
  present: readonly Value[],
  choose: Choices,
  records: readonly { id: string; fields: Fields }[],
): Pick<Value, 'id'> | undefined {
  const choice = choose[name]
  if (choice !== undefined) return { id: choice }
  const companion = rules.companions[name]
  if (companion === undefined) return present[0]
  const scored = records
    .map(({ id, fields }) => ({ id, value: fields[companion] }))
    .filter(({ value }) => !isEmpty(value))
  return sourceOf(rules, companion, scored, choose, records) ?? present[0]
}

/** The editable fields, with those of custom fields next to the others. */
function flatten({ properties }: MergeRules, { ...record }: { [field: string]: unknown }): Fields {
  return Object.fromEntries(
    Object.keys(properties).flatMap((name) =>
      name === KEYED_FIELD
        ? Object.entries((record[name] ?? {}) as Fields).map(([key, value]) => [KEY_PREFIX + key, value])
        : [[name, record[name]]],
    ),
  )
}

function unflatten(fields: Fields): Fields {
  const entries = Object.entries(fields)
  const keyed = entries.filter(([name]) => name.startsWith(KEY_PREFIX))
  const others = entries.filter(([name]) => !name.startsWith(KEY_PREFIX))
  const custom = keyed
    .filter(([_name, value]) => value !== null)
    .map(([name, value]) => [name.slice(KEY_PREFIX.length), value])
  return Object.fromEntries(
    keyed.length === 0 ? others : [...others, [KEYED_FIELD, Object.fromEntries(custom)]],
  )
}

function requireKnown(
  { several }: MergeRules,
  choose: Choices,
  names: readonly string[],
  ids: readonly string[],
): void {
  for (const [name, id] of Object.entries(choose)) {
    if (!names.includes(name))
      throw new InvalidInput(
        `choose.${truncate(name, 100)} is not a field that ${several} are merged by. Allowed: ${names.join(', ')}.`,
      )
    if (!ids.includes(id))
      throw new InvalidInput(
        `choose.${name} must be the id of one of the merged ${several} (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}), not ${id}.`,
      )
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Lists of words, such as tags, are united. */
const isWordList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((word) => typeof word === 'string')

/** A conflict of a field, of which one record's value remains. */
export function conflictOf(field: string, values: readonly Value[], chosen: string): MergeConflict {
  const shortened = values.map(({ id, value }) => ({ id, ...shorten(value) }))
  return {
    field,
    values: Object.fromEntries(shortened.map(({ id, value }) => [id, value])),
    chosen,
    truncated: shortened.some(({ isShortened }) => isShortened),
  }
}

function shorten(value: unknown): { value: unknown; isShortened: boolean } {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) <= MAX_CONFLICT_BYTES) return { value, isShortened: false }
  const shown = typeof value === 'string' ? value : text
  return { value: truncate(shown, 501), isShortened: true }
}

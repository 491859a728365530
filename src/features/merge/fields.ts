import { isDeepStrictEqual } from 'node:util'
import type { StoredCompany } from '#src/features/companies/index.ts'
import { type CompanyPatch, companyProperties } from '#src/features/companies/index.ts'
import { InvalidInput } from '#src/platform/errors.ts'
import { truncate } from '#src/platform/truncate.ts'
import { MAX_CONFLICT_BYTES, type MergeConflict } from './schema.ts'

/** The company whose value a field takes, by field. */
export type Choices = Readonly<Record<string, string>>

/** This field's keys are merged like fields, as `custom.<key>`. */
const KEYED_FIELD = 'custom'
const KEY_PREFIX = `${KEYED_FIELD}.`
/** Without a choice, details come from the company that the score comes from. */
const COMPANIONS: Readonly<Record<string, string>> = { llm_score_details: 'llm_score_overall' }

type Fields = Record<string, unknown>

/** The result of merging fields. */
export interface MergedFields {
  fields: CompanyPatch
  conflicts: MergeConflict[]
}

/**
 * The fields that a merged company has.
 * @param companies the survivor first, then the others in the order of the request
 * @throws InvalidInput if a choice names an unknown field, or a company that is not one of these, or if a united list is
 *   too long
 */
export function mergeFields(companies: readonly StoredCompany[], choose: Choices): MergedFields {
  const records = companies.map((company) => ({ id: company.id, fields: flatten(company) }))
  const names = [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))]
  requireKnown(
    choose,
    names,
    records.map(({ id }) => id),
  )
  const merged: Fields = {}
  const conflicts: MergeConflict[] = []
  for (const name of names) {
    const values = records.map(({ id, fields }) => ({ id, value: fields[name] ?? null }))
    const present = values.filter(({ value }) => !isEmpty(value))
    if (choose[name] === undefined && present.length > 0 && present.every(({ value }) => isWordList(value))) {
      merged[name] = unite(
        name,
        present.map(({ value }) => value as string[]),
      )
      continue
    }
    const source = sourceOf(name, present, choose, records) ?? (values[0] as Value)
    merged[name] = values.find(({ id }) => id === source.id)?.value ?? null
    if (present.some(({ value }) => !isDeepStrictEqual(value, present[0]?.value)))
      conflicts.push(conflictOf(name, values, source.id))
  }
  return { fields: unflatten(merged), conflicts }
}

/** @throws InvalidInput if the lists are too long together */
function unite(name: string, lists: readonly string[][]): string[] {
  const words = [...new Set(lists.flat())]
  const { maxItems = Number.POSITIVE_INFINITY } =
    (companyProperties as Record<string, { maxItems?: number }>)[name] ?? {}
  if (words.length > maxItems)
    throw new InvalidInput(
      `${name} would have ${words.length} entries, and may have at most ${maxItems}. choose.${name} takes those of one company.`,
    )
  return words
}

interface Value {
  id: string
  value: unknown
}

/** Where a field's value comes from; undefined: no company has one. */
function sourceOf(
  name: string,
  present: readonly Value[],
  choose: Choices,
  records: readonly { id: string; fields: Fields }[],
): Pick<Value, 'id'> | undefined {
  const choice = choose[name]
  if (choice !== undefined) return { id: choice }
  const companion = COMPANIONS[name]
  if (companion === undefined) return present[0]
  const scored = records
    .map(({ id, fields }) => ({ id, value: fields[companion] }))
    .filter(({ value }) => !isEmpty(value))
  return sourceOf(companion, scored, choose, records) ?? present[0]
}

/** The editable fields, with those of custom fields next to the others. */
function flatten(company: StoredCompany): Fields {
  const record = company as unknown as Fields
  return Object.fromEntries(
    Object.keys(companyProperties).flatMap((name) =>
      name === KEYED_FIELD
        ? Object.entries((record[name] ?? {}) as Fields).map(([key, value]) => [KEY_PREFIX + key, value])
        : [[name, record[name]]],
    ),
  )
}

function unflatten(fields: Fields): CompanyPatch {
  const entries = Object.entries(fields)
  const keyed = entries.filter(([name]) => name.startsWith(KEY_PREFIX))
  const others = entries.filter(([name]) => !name.startsWith(KEY_PREFIX))
  const custom = keyed
    .filter(([_name, value]) => value !== null)
    .map(([name, value]) => [name.slice(KEY_PREFIX.length), value])
  return Object.fromEntries(
    keyed.length === 0 ? others : [...others, [KEYED_FIELD, Object.fromEntries(custom)]],
  ) as CompanyPatch
}

function requireKnown(choose: Choices, names: readonly string[], ids: readonly string[]): void {
  for (const [name, id] of Object.entries(choose)) {
    if (!names.includes(name))
      throw new InvalidInput(
        `choose.${truncate(name, 100)} is not a field that companies are merged by. Allowed: ${names.join(', ')}.`,
      )
    if (!ids.includes(id))
      throw new InvalidInput(
        `choose.${name} must be the id of one of the merged companies (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}), not ${id}.`,
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

function conflictOf(field: string, values: readonly Value[], chosen: string): MergeConflict {
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

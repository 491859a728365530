import { normalizeTag } from '#src/features/companies/index.ts'
import { customKey } from '#src/features/fields/index.ts'
import type { Fields } from '#src/platform/filter/fields.ts'
import type { Filter, FilterLeaf } from '#src/platform/filter/schema.ts'
import type { View, ViewContent } from './schema.ts'

type Missing = View['missing']

const THESIS_ID = /^th_\w+$/

/** The theses and tags named in filters that still exist. */
export interface Existing {
  theses: ReadonlySet<string>
  tags: ReadonlySet<string>
}

/** What a view uses that no longer exists, and what remains of it. */
export function describeMissing(
  { filter, sort, columns }: Pick<ViewContent, 'filter' | 'sort' | 'columns'>,
  fields: Fields,
  existing: Existing,
): Pick<View, 'missing' | 'applied'> {
  const leaves = filter ? leavesOf(filter) : []
  const theses = leaves.flatMap(thesesIn).filter((id) => !existing.theses.has(id))
  const tags = leaves.flatMap(tagsIn).filter((tag) => !existing.tags.has(tag))
  const inFilter = (kind: Missing[number]['kind'], names: string[]): Missing =>
    distinct(names).map((name) => ({ kind, name, used_in: 'filter' }))
  const isKnown = (name: string) => fields.has(name)
  // Only users' own fields are deleted. Other columns need not be fields, since older views may have any.
  const lostColumns = columns.filter(({ field }) => customKey(field) !== undefined && !isKnown(field))
  const missing: Missing = [
    ...named('filter', unknown(leaves, isKnown)),
    ...inFilter('thesis', theses),
    ...inFilter('tag', tags),
    ...inFilter('option', withLostOptions(leaves, fields)),
    ...named('sort', unknown(sort, isKnown)),
    ...named(
      'columns',
      lostColumns.map(({ field }) => field),
    ),
  ]
  return {
    missing,
    applied: {
      filter: (filter && withoutUnknown(filter, isKnown)) ?? null,
      sort: sort.filter(({ field }) => isKnown(field)),
      columns: columns.filter((column) => !lostColumns.includes(column)),
    },
  }
}

/** The ids of theses, and the tags, that the filters name. */
export function namedIn(filters: readonly (Filter | null)[]): { theses: string[]; tags: string[] } {
  const leaves = filters.flatMap((filter) => (filter ? leavesOf(filter) : []))
  return { theses: distinct(leaves.flatMap(thesesIn)), tags: distinct(leaves.flatMap(tagsIn)) }
}

const distinct = (names: string[]): string[] => [...new Set(names)]

const unknown = (uses: readonly { field: string }[], isKnown: (name: string) => boolean): string[] =>
  uses.map(({ field }) => field).filter((name) => !isKnown(name))

const named = (used_in: Missing[number]['used_in'], names: string[]): Missing =>
  distinct(names).map((name) => ({ kind: 'field', name, used_in }))

const textsOf = ({ value }: FilterLeaf): string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string')

const thesesIn = (leaf: FilterLeaf): string[] =>
  ['thesis_id', 'company_thesis_id', 'id'].includes(leaf.field)
    ? textsOf(leaf).filter((id) => THESIS_ID.test(id))
    : []

const tagsIn = (leaf: FilterLeaf): string[] =>
  ['tags', 'company_tags'].includes(leaf.field) ? textsOf(leaf).map(normalizeTag) : []

/** The custom fields of which the conditions name options that do not exist. */
const withLostOptions = (leaves: FilterLeaf[], fields: Fields): string[] =>
  leaves.flatMap((leaf) => {
    const { options, normalize = String } = fields.get(leaf.field) ?? {}
    if (!options || customKey(leaf.field) === undefined) return []
    const isLost = (text: string) => !options.some(({ id }) => id === normalize(text))
    return textsOf(leaf).some(isLost) ? [leaf.field] : []
  })

function leavesOf(filter: Filter): FilterLeaf[] {
  if ('and' in filter) return filter.and.flatMap(leavesOf)
  if ('or' in filter) return filter.or.flatMap(leavesOf)
  return 'not' in filter ? leavesOf(filter.not) : [filter]
}

/** The filter without conditions on unknown fields; undefined if none is left. */
function withoutUnknown(filter: Filter, isKnown: (name: string) => boolean): Filter | undefined {
  const rest = (parts: Filter[]) => parts.flatMap((part) => withoutUnknown(part, isKnown) ?? [])
  if ('and' in filter) {
    const and = rest(filter.and)
    return and.length > 0 ? { and } : undefined
  }
  if ('or' in filter) {
    const or = rest(filter.or)
    return or.length > 0 ? { or } : undefined
  }
  if ('not' in filter) {
    const not = withoutUnknown(filter.not, isKnown)
    return not && { not }
  }
  return isKnown(filter.field) ? filter : undefined
}

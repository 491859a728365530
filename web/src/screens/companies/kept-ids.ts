import { mapLeaves } from '#web/filters/tree.ts'
import type { CompaniesSearch } from './companies-search.ts'

/** An address with more ids would not pass all proxies. */
const MAX_IDS_IN_ADDRESS = 150
/** Each has up to 1,000 ids. */
const MAX_LISTS = 100
const KEY = 'kept_ids'

type Lists = Record<string, readonly string[]>
let lists: Lists | undefined

/** Kept by this tab, also after a reload. */
function read(): Lists {
  try {
    lists ??= JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Lists
  } catch {
    lists = {}
  }
  return lists
}

function keep(ids: readonly string[]): string {
  const previous = Object.entries(read()).find(([, others]) => isSame(ids, others))
  if (previous) return previous[0]
  // Stands in for the field. When another tab opens the address, the service rejects it and quotes this name.
  const name = `ids kept in another tab (${Math.random().toString(36).slice(2, 8)})`
  lists = Object.fromEntries([...Object.entries(read()), [name, ids] as const].slice(-MAX_LISTS))
  try {
    sessionStorage.setItem(KEY, JSON.stringify(lists))
  } catch {
    // Without storage, they last until the next reload.
  }
  return name
}

const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  ids.length === others.length && ids.every((id, index) => id === others[index])

/** A search for the address: this tab keeps long lists of ids. */
export const withoutLongLists = ({ filter, ...search }: CompaniesSearch): CompaniesSearch =>
  filter === undefined
    ? search
    : {
        ...search,
        filter: mapLeaves(filter, (leaf) =>
          leaf.field === 'id' && Array.isArray(leaf.value) && leaf.value.length > MAX_IDS_IN_ADDRESS
            ? { field: keep(leaf.value), op: leaf.op, value: [] }
            : leaf,
        ),
      }

/** Reverses `withoutLongLists`. */
export const withLongLists = (search: CompaniesSearch): CompaniesSearch =>
  search.filter === undefined
    ? search
    : {
        ...search,
        filter: mapLeaves(search.filter, (leaf) =>
          Object.hasOwn(read(), leaf.field) ? { field: 'id', op: leaf.op, value: read()[leaf.field] } : leaf,
        ),
      }

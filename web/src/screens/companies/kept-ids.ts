import { isEqual } from '#web/editing/record-changes.ts'
import { type FilterLeaf, leavesOf, mapLeaves } from '#web/filters/tree.ts'
import type { CompaniesSearch } from './companies-search.ts'

/** An address with more ids would not pass all proxies. */
const MAX_IDS_IN_ADDRESS = 150
/** Each has up to 1,000 ids. */
const MAX_LISTS = 100
const KEY = 'kept_ids'
/** Begins the name of a list, which the address has in place of the ids. */
const KEPT = 'kept:'

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
  const previous = Object.entries(read()).find(([, others]) => isEqual(ids, others))
  if (previous) return previous[0]
  const name = KEPT + Math.random().toString(36).slice(2, 8)
  lists = Object.fromEntries([...Object.entries(read()), [name, ids] as const].slice(-MAX_LISTS))
  try {
    sessionStorage.setItem(KEY, JSON.stringify(lists))
  } catch {
    // Without storage, they last until the next reload.
  }
  return name
}

/** A search for the address: this tab keeps long lists of ids. */
export const withoutLongLists = ({ filter, ...search }: CompaniesSearch): CompaniesSearch =>
  filter === undefined
    ? search
    : {
        ...search,
        filter: mapLeaves(filter, (leaf) =>
          leaf.field === 'id' && Array.isArray(leaf.value) && leaf.value.length > MAX_IDS_IN_ADDRESS
            ? { ...leaf, value: keep(leaf.value) }
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
          isKept(leaf) ? { ...leaf, value: read()[leaf.value] ?? leaf.value } : leaf,
        ),
      }

/** Whether a list of ids is missing after `withLongLists`, because another tab keeps it. */
export const isListMissing = ({ filter }: CompaniesSearch): boolean => leavesOf(filter).some(isKept)

const isKept = (leaf: FilterLeaf): leaf is FilterLeaf & { value: string } =>
  leaf.field === 'id' && typeof leaf.value === 'string' && leaf.value.startsWith(KEPT)

import type { Client, CompletedAction } from '#src/client/client.ts'
import { createStore } from '../store.ts'

export type RecordedAction = Awaited<ReturnType<Client['listActions']>>['data'][number]

/** A change that the key `z` undoes. */
export interface Change {
  id: string
  /** Whether it is too large to be undone without a preview. */
  isLarge: boolean
  /** Undoes it, if it is not one action of the service. */
  undo?: () => Promise<void>
}

/** The number of companies that a request has deleted. With a filter, that is the expected number. */
export function deletedCompanies(body: unknown): number {
  const { ids, expect = 0 } = body as { ids?: string[]; expect?: number }
  return ids?.length ?? expect
}

type Sizes = { [K in keyof Client]?: (done: CompletedAction<K>) => number }

/**
 * The number of records that an operation has changed. Operations that are not listed change one, or as those of tasks, little
 * that needs a preview.
 */
const SIZES: Sizes = {
  updateCompanies: ({ output: { data } }) => data.updated,
  updateDeals: ({ output: { data } }) => data.updated,
  deleteCompanies: ({ input }) => deletedCompanies(input.body),
  undoAction: ({ output: { data } }) => data.reverted,
  importCompanies: () => Number.POSITIVE_INFINITY,
  mergeCompanies: ({ input }) => (input.body as { from: string[] }).from.length,
  createPeopleFromExecutives: ({ output: { data } }) => data.created,
  createPeopleOfCompanies: ({ output: { data } }) => data.created,
  mergePeople: ({ input }) => (input.body as { from: string[] }).from.length,
  renameTag: () => Number.POSITIVE_INFINITY,
  removeTag: () => Number.POSITIVE_INFINITY,
}

const sizeOf = (done: CompletedAction): number =>
  (SIZES[done.operation] as ((done: CompletedAction) => number) | undefined)?.(done) ?? 1

interface LatestChanges {
  /** The changes of this tab that are not undone, oldest first. */
  changes: readonly Change[]
  /** The latest request that has changed records, until its notice is shown. */
  unannounced: CompletedAction | null
}

const store = createStore<LatestChanges>({ changes: [], unannounced: null })
/** The undo actions of this tab. Undoing one of them counts as a change. */
const undoIds = new Set<string>()
/** What this tab has undone, or tried to. An undo that had no effect leaves its action undoable. */
const triedIds = new Set<string>()
let withoutAction = 0

const push = (change: Change): void => store.set({ changes: [...store.get().changes, change] })

function remove(id: string): void {
  triedIds.add(id)
  store.set({ changes: store.get().changes.filter((change) => change.id !== id) })
}

function remember(done: CompletedAction): void {
  const { id, operation, input } = done
  if (operation === 'purgeRecord') return
  if (operation === 'undoAction') {
    const undone = input.params?.id ?? ''
    remove(undone)
    if (!undoIds.has(undone)) {
      undoIds.add(id)
      return
    }
  }
  push({ id, isLarge: sizeOf(done) > 1 })
}

/** How long ago a change of the user was made at most that this tab does not know of. */
const RECENT_MS = 15 * 60_000
const LARGE_KINDS: readonly RecordedAction['kind'][] = ['import', 'bulk_action']

/** What this tab has changed: for the key `z`, and for the notices with Undo. */
export const latestChanges = {
  add: (done: CompletedAction): void => {
    remember(done)
    store.set({ unannounced: done })
  },
  /**
   * Adds a change of which the service keeps no action, or one that is several actions.
   * @returns a function that undoes it
   */
  addWithoutAction: (undo: () => Promise<void>): (() => Promise<void>) => {
    const id = `without action ${++withoutAction}`
    const undoThis = async () => {
      await undo()
      remove(id)
    }
    push({ id, isLarge: false, undo: undoThis })
    return undoThis
  },
  /** The latest one. It stays the latest until it has been undone. */
  last: (): Change | undefined => store.get().changes.at(-1),
  /**
   * The latest one that the service knows and this tab does not, such as one from before the tab was reloaded.
   * @param actions of the user, newest first
   */
  lastOf: (actions: readonly RecordedAction[]): Change | undefined => {
    const since = Date.now() - RECENT_MS
    const last = actions.find(({ id, kind, undoable }) => undoable && kind !== 'undo' && !triedIds.has(id))
    if (!last || Date.parse(last.created_at) < since) return
    return { id: last.id, isLarge: last.records > 1 || LARGE_KINDS.includes(last.kind) }
  },
  /** Forgets one that cannot be undone. */
  remove,
  subscribe: store.subscribe,
  /** The latest request whose notice has not been shown. Returns it only once. */
  takeUnannounced: (): CompletedAction | null => {
    const { unannounced } = store.get()
    store.set({ unannounced: null })
    return unannounced
  },
}

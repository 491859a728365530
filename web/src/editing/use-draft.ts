import { useCallback, useState, useSyncExternalStore } from 'react'
import { signedInEmail } from '#web/api/signed-in-user.ts'

const prefix = (): string => `draft:${signedInEmail()}:`

const CHANGED = 'draft-changed'

/**
 * Text being typed, stored in this tab per user until it is saved or discarded. It survives a reload and a sign-in.
 * @param isValid whether a stored draft, perhaps from an older version, can be used; by default, if it has the shape
 * of `initial`
 * @param storage `localStorage` keeps it for all tabs and after the browser is closed or the user signs out
 * @returns the draft, a function that changes it, and one that discards it
 */
export function useDraft<T>(
  key: string,
  initial: T,
  isValid = (stored: unknown): stored is T => hasShape(stored, initial),
  storage = sessionStorage,
): [T, (value: T) => void, () => void] {
  const name = prefix() + key
  const [value, setValue] = useState<T>(() => {
    const stored = read(storage, name)
    return isValid(stored) ? stored : initial
  })
  const change = useCallback(
    (changed: T) => {
      setValue(changed)
      store(storage, name, changed)
    },
    [storage, name],
  )
  const clearDraft = useCallback(() => {
    storage.removeItem(name)
    window.dispatchEvent(new Event(CHANGED))
    setValue(initial)
  }, [storage, name, initial])
  return [value, change, clearDraft]
}

/** Whether this tab has a draft under a key. */
export const hasDraft = (key: string): boolean => sessionStorage.getItem(prefix() + key) !== null

/**
 * What a function reads from stored drafts, kept up to date, also when another tab changes them.
 * @param pick returns a primitive value
 */
export const useStoredDrafts = <T extends string>(pick: (read: (key: string) => unknown) => T): T =>
  useSyncExternalStore(subscribe, () => pick((key) => read(localStorage, prefix() + key)))

function subscribe(notify: () => void): () => void {
  const events = [CHANGED, 'storage']
  for (const event of events) window.addEventListener(event, notify)
  return () => {
    for (const event of events) window.removeEventListener(event, notify)
  }
}

/**
 * Stores a draft of all tabs under another key.
 * @returns false if there is a draft under that key, which is kept
 */
export function moveDraft(from: string, to: string): boolean {
  if (localStorage.getItem(prefix() + to) !== null) return false
  const stored = read(localStorage, prefix() + from)
  localStorage.removeItem(prefix() + from)
  store(localStorage, prefix() + to, stored)
  return true
}

/** Discards the drafts that are stored in this tab. */
export function clearDrafts(): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix())) sessionStorage.removeItem(name)
}

/** @returns undefined if nothing readable is stored */
function read(storage: Storage, name: string): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? '') as unknown
  } catch {
    return undefined
  }
}

/** Full storage must not keep anyone from typing. */
function store(storage: Storage, name: string, value: unknown): void {
  try {
    storage.setItem(name, JSON.stringify(value))
  } catch {}
  window.dispatchEvent(new Event(CHANGED))
}

/** Whether a value has all the properties of a model, with the same types. */
function hasShape(value: unknown, model: unknown): boolean {
  if (value === undefined || model === null) return value !== undefined
  if (typeof value !== typeof model || value === null) return false
  if (typeof model !== 'object') return true
  return Object.entries(model).every(([key, part]) => hasShape((value as Record<string, unknown>)[key], part))
}

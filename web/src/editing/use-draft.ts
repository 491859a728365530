import { useCallback, useState } from 'react'
import { signedInAs } from '#web/service/signed-in.ts'

const prefix = (): string => `draft:${signedInAs()}:`

/**
 * What is being typed, kept in this tab for its user until it is saved or thrown away: a page that is loaded again, or a
 * sign-in in between, loses nothing.
 * @param isValid whether what was kept, maybe by an older version, is still of use; left out: it is of the kind of `initial`
 * @returns the text, how to change it, and how to forget it
 */
export function useDraft<T>(
  key: string,
  initial: T,
  isValid = (kept: unknown): kept is T => isOfKind(kept, initial),
): [T, (value: T) => void, () => void] {
  const name = prefix() + key
  const [value, setValue] = useState<T>(() => {
    const kept = read(name)
    return isValid(kept) ? kept : initial
  })
  const change = useCallback(
    (changed: T) => {
      setValue(changed)
      keep(name, changed)
    },
    [name],
  )
  const forget = useCallback(() => {
    sessionStorage.removeItem(name)
    setValue(initial)
  }, [name, initial])
  return [value, change, forget]
}

/** Forgets everything that the user has typed in this tab and not saved. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix())) sessionStorage.removeItem(name)
}

/** @returns undefined where nothing was kept, or nothing that can be read */
function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '') as unknown
  } catch {
    return undefined
  }
}

/** A storage that is full is no reason to stop somebody from typing. */
function keep(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value))
  } catch {}
}

/** Whether a value can stand where another does: each of its parts is there, and of the same type. */
function isOfKind(value: unknown, model: unknown): boolean {
  if (value === undefined || model === null) return value !== undefined
  if (typeof value !== typeof model || value === null) return false
  if (typeof model !== 'object') return true
  return Object.entries(model).every(([key, part]) => isOfKind((value as Record<string, unknown>)[key], part))
}

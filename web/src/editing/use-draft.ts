import { useCallback, useState } from 'react'
import { signedInEmail } from '#web/service/signed-in-user.ts'

const prefix = (): string => `draft:${signedInEmail()}:`

/**
 * What is being typed, stored in this tab for its user until it is saved or thrown away: a page that is loaded again, or a
 * sign-in in between, loses nothing.
 * @param isValid whether what was stored, maybe by an older version, is still of use; left out: it is of the kind of `initial`
 * @returns the text, how to change it, and how to forget it
 */
export function useDraft<T>(
  key: string,
  initial: T,
  isValid = (stored: unknown): stored is T => hasShape(stored, initial),
): [T, (value: T) => void, () => void] {
  const name = prefix() + key
  const [value, setValue] = useState<T>(() => {
    const stored = read(name)
    return isValid(stored) ? stored : initial
  })
  const change = useCallback(
    (changed: T) => {
      setValue(changed)
      store(name, changed)
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

/** @returns undefined where nothing was stored, or nothing that can be read */
function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '') as unknown
  } catch {
    return undefined
  }
}

/** A storage that is full is no reason to stop somebody from typing. */
function store(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value))
  } catch {}
}

/** Whether a value can stand where another does: each of its parts is there, and of the same type. */
function hasShape(value: unknown, model: unknown): boolean {
  if (value === undefined || model === null) return value !== undefined
  if (typeof value !== typeof model || value === null) return false
  if (typeof model !== 'object') return true
  return Object.entries(model).every(([key, part]) => hasShape((value as Record<string, unknown>)[key], part))
}

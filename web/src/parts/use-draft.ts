import { useCallback, useState } from 'react'

/**
 * What is being typed, kept in this tab until it is saved or thrown away: a page that is loaded again, or a sign-in in
 * between, loses nothing.
 * @returns the text, how to change it, and how to forget it
 */
export function useDraft<T>(key: string, initial: T): [T, (value: T) => void, () => void] {
  const name = `draft:${key}`
  const [value, setValue] = useState<T>(() => {
    const kept = sessionStorage.getItem(name)
    return kept === null ? initial : (JSON.parse(kept) as T)
  })
  const change = useCallback(
    (changed: T) => {
      sessionStorage.setItem(name, JSON.stringify(changed))
      setValue(changed)
    },
    [name],
  )
  const forget = useCallback(() => {
    sessionStorage.removeItem(name)
    setValue(initial)
  }, [name, initial])
  return [value, change, forget]
}

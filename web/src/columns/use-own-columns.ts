import { useCallback, useEffect, useMemo, useRef } from 'react'
import { isEqual } from '#web/editing/record-changes.ts'
import { usePreferences } from '#web/ui/use-preferences.ts'
import { type Columns, tidyColumns } from '#web/views/column-state.ts'

const NONE: Columns = []

/** The preference that holds the columns, and the key in local storage where earlier versions kept them. */
const KEYS = {
  company: { preference: 'companies_columns', inBrowser: 'companies_columns_of_all' },
  person: { preference: 'people_columns', inBrowser: 'people_columns_of_all' },
  deal: { preference: 'deals_columns', inBrowser: 'deals_columns_of_all' },
} as const

/**
 * The columns that the user last chose outside of a view, stored in their account. Empty means the defaults, as in views.
 */
export function useOwnColumns(
  entity: keyof typeof KEYS,
  defaults: Columns,
): [Columns, (columns: Columns) => void] {
  const { preferences, change } = usePreferences()
  const { preference, inBrowser } = KEYS[entity]
  const stored = preferences?.[preference]
  const own = useMemo(() => columnsIn(stored) ?? NONE, [stored])
  const setColumns = useCallback(
    (columns: Columns) => {
      localStorage.removeItem(inBrowser)
      change({ [preference]: isEqual(columns, defaults) ? null : columns })
    },
    [change, preference, inBrowser, defaults],
  )
  const hasMoved = useRef(false)
  const isKnown = preferences !== undefined
  useEffect(() => {
    const kept = isKnown && !hasMoved.current && localStorage.getItem(inBrowser)
    if (!kept) return
    hasMoved.current = true
    const columns = columnsIn(parsed(kept))
    // The browser keeps them until a later visit finds columns in the account: saving them may fail.
    if (own.length > 0 || !columns?.length) localStorage.removeItem(inBrowser)
    else change({ [preference]: columns })
  }, [isKnown, inBrowser, own, change, preference])
  return [own, setColumns]
}

function columnsIn(stored: unknown): Columns | undefined {
  const isColumns = Array.isArray(stored) && stored.every((column) => typeof column?.field === 'string')
  return isColumns ? tidyColumns(stored) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Another user's value.
    return undefined
  }
}

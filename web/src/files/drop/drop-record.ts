import { useEffect } from 'react'
import { ABOUT_TYPES } from '#src/client/limits.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'

/** The record of the page that was mounted last. */
const pages = new Set<AboutEntry>()

/** The page of a record takes files wherever they are dropped on it. */
export function useDropRecord({ type, id, name }: AboutEntry): void {
  useEffect(() => {
    const page = { type, id, name }
    pages.add(page)
    return () => {
      pages.delete(page)
    }
  }, [type, id, name])
}

/** The record whose page is open. */
export const recordOfPage = (): AboutEntry | null => [...pages].at(-1) ?? null

/** The attributes of an element that stands for a record, such as a card of the board. Files can be dropped on it. */
export const droppable = ({ type, id, name }: AboutEntry) => ({
  ...{ 'data-drop-type': type, 'data-drop-id': id, 'data-drop-name': name },
})

export const DROPPABLE = '[data-drop-id]'

/** The record that an element stands for. */
export function recordAt(element: Element | null): AboutEntry | null {
  const {
    dropType,
    dropId: id,
    dropName: name = '',
  } = element?.closest<HTMLElement>(DROPPABLE)?.dataset ?? {}
  const type = ABOUT_TYPES.find((known) => known === dropType)
  return type && id ? { type, id, name } : null
}

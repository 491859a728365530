import { useEffect, useState } from 'react'
import { isModalOpen } from '#web/keyboard/use-keyboard.ts'
import type { AboutEntry } from '#web/notes/note-text.ts'
import { droppedFiles, hasFiles } from './dragged-files.ts'
import { DROPPABLE, recordAt, recordOfPage } from './drop-record.ts'

/** Where the files would go that are dragged over the window. */
export interface DropPlace {
  /** The record of the page, or the one under the pointer; null: none. */
  record: AboutEntry | null
  isPage: boolean
  /** Whether they are over the part of the page that keeps them private. */
  isPrivate: boolean
}

/** Marks the part of the page that keeps files private. */
export const PRIVATE_ZONE = { 'data-drop-private': true }
/** Marks a part of a screen that takes files itself. */
const OWN_TAKER = '[data-takes-files]'
const OVER = 'data-drop-over'

/** The place under the pointer; null: none of the app’s, because a dialog is open or another part takes the files. */
function placeOf({ target }: DragEvent): DropPlace | null {
  if (isModalOpen() || document.querySelector(OWN_TAKER)) return null
  const element = target instanceof Element ? target : null
  const page = recordOfPage()
  const isPrivate = element?.closest('[data-drop-private]') != null
  return { record: page ?? recordAt(element), isPage: page !== null, isPrivate }
}

function markOver(element: Element | null): void {
  for (const marked of document.querySelectorAll(`[${OVER}]`))
    if (marked !== element) marked.removeAttribute(OVER)
  element?.setAttribute(OVER, '')
}

/**
 * Follows files that are dragged over the window.
 * @param onDrop called with the files and their place
 * @returns the place, for what is shown
 */
export function useFileDrag(
  isOn: boolean,
  onDrop: (files: File[], place: DropPlace) => void,
): DropPlace | null {
  const [place, setPlace] = useState<DropPlace | null>(null)
  useEffect(() => {
    // What is dragged from the page itself, such as a logo, may look like a file.
    let isFromPage = false
    const end = () => {
      isFromPage = false
      markOver(null)
      setPlace(null)
    }
    const start = () => {
      isFromPage = true
    }
    const over = (event: DragEvent) => {
      if (isFromPage || !hasFiles(event) || event.defaultPrevented) return end()
      // Otherwise, the browser would open a file that is dropped.
      event.preventDefault()
      const found = isOn ? placeOf(event) : null
      if (event.dataTransfer) event.dataTransfer.dropEffect = found ? 'copy' : 'none'
      const element = event.target instanceof Element ? event.target.closest(DROPPABLE) : null
      markOver(found && !found.isPage ? element : null)
      setPlace((before) => (isSame(before, found) ? before : found))
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) end()
    }
    const drop = (event: DragEvent) => {
      const isOurs = !isFromPage && hasFiles(event) && !event.defaultPrevented
      const found = isOurs && isOn ? placeOf(event) : null
      end()
      if (isOurs) event.preventDefault()
      if (!found) return
      const files = droppedFiles(event)
      if (files.length > 0) onDrop(files, found)
    }
    window.addEventListener('dragstart', start)
    window.addEventListener('dragend', end)
    window.addEventListener('dragenter', over)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragstart', start)
      window.removeEventListener('dragend', end)
      window.removeEventListener('dragenter', over)
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [isOn, onDrop])
  return place
}

const isSame = (before: DropPlace | null, now: DropPlace | null): boolean =>
  before?.record?.id === now?.record?.id &&
  before?.isPage === now?.isPage &&
  before?.isPrivate === now?.isPrivate

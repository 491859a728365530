import { type RefObject, useRef, useState } from 'react'
import { lazyPart } from '#web/ui/lazy/lazy-part.tsx'
import { showNotLoaded } from '#web/ui/lazy/show-not-loaded.ts'
import { useKeysWhileLoading } from '#web/ui/lazy/use-keys-while-loading.ts'
import type { FieldEditor } from './editable-field-input.tsx'

/** The input of all editable fields. */
export const EditableFieldInput = lazyPart(() => import('./editable-field-input.tsx'), { isPreloaded: true })

/**
 * Opens an editor once its input is loaded. Until then, its button keeps the focus and takes the keys; Escape and a press
 * elsewhere cancel.
 */
export function useLoadedInput(editor: FieldEditor, button: RefObject<HTMLElement | null>, open: () => void) {
  const [isLoading, setLoading] = useState(false)
  const isWanted = useRef(false)
  useKeysWhileLoading(isLoading, button.current, () => {
    isWanted.current = false
  })
  const parts = editor.kind === 'rendered' ? [EditableFieldInput, editor.part] : [EditableFieldInput]
  const openOnceLoaded = () => {
    if (parts.every((part) => part.isLoaded())) return open()
    setLoading(true)
    isWanted.current = true
    Promise.all(parts.map((part) => part.load()))
      // If the user has moved on, the focus stays where it is.
      .then(
        () => isWanted.current && document.activeElement === button.current && open(),
        () => isWanted.current && showNotLoaded(),
      )
      .finally(() => setLoading(false))
  }
  return { isLoading, open: openOnceLoaded }
}

import { type RefObject, useEffect, useRef } from 'react'
import { isFocusFree } from '#web/browser/focus.ts'

/**
 * Keeps the focus on a checkbox that moves to another list when it is toggled, which React does by making a new one.
 * Call the result before toggling, with the checkbox's name.
 */
export function useFocusToggled(
  lists: RefObject<HTMLElement | null>,
): (name: string, isChecked: boolean) => void {
  const toggled = useRef<{ name: string; isChecked: boolean; isKeyboard: boolean } | null>(null)
  useEffect(() => {
    if (!toggled.current) return
    const { name, isChecked, isKeyboard } = toggled.current
    const checkbox = lists.current?.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)
    if (checkbox?.checked !== isChecked) return
    // With the mouse, the lists stay where they are, so that the next checkbox is still below the pointer.
    if (isFocusFree()) checkbox.focus({ preventScroll: !isKeyboard })
    toggled.current = null
  })
  return (name, isChecked) => {
    const isKeyboard = document.activeElement?.matches(':focus-visible') === true
    toggled.current = { name, isChecked, isKeyboard }
  }
}

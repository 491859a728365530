import { useLayoutEffect } from 'react'
import { type Action, currentActions } from './actions.ts'
import { areSingleKeysOn } from './single-keys.ts'

const SEQUENCE_TIMEOUT_MS = 1200
/** Fields and open lists that use these keys themselves. */
const TYPING = 'input, textarea, select, [contenteditable=true], [role=textbox]'
const BUSY = '[role=menu], [role=listbox], [role=combobox], [role=slider], [role=dialog]'
/** Keys that act again while they are held down. */
const REPEATABLE = ['h', 'j', 'k', 'l', 'ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight']
const NOT_TYPED = 'input[type=checkbox], input[type=radio], input[type=button]'

/** Runs the actions on offer by their keys. Used once, by the shell. */
export function useKeyboard(): void {
  useLayoutEffect(() => {
    let first = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    let wasModalOpen = false
    // Dialogs add their listeners later, so this comes before Escape closes one.
    const checkModal = () => {
      wasModalOpen = isModalOpen()
    }
    const press = (event: KeyboardEvent) => {
      const pressed = pressedKey(event)
      if (event.defaultPrevented || event.isComposing || pressed === null) return
      const before = first
      clearTimeout(timer)
      first = ''
      // Another listener may have closed or opened one.
      const isModal = wasModalOpen || isModalOpen()
      const actions = currentActions().filter((action) => isListening(action, event, pressed, isModal))
      const action = (before && find(actions, `${before} ${pressed}`)) || find(actions, pressed)
      if (action) {
        event.preventDefault()
        if (!event.repeat || REPEATABLE.includes(pressed)) action.run()
      } else if (actions.some(({ keys }) => keys?.some((key) => key.startsWith(`${pressed} `)))) {
        first = pressed
        timer = setTimeout(() => {
          first = ''
        }, SEQUENCE_TIMEOUT_MS)
      }
    }
    window.addEventListener('keydown', checkModal, true)
    document.addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', checkModal, true)
      document.removeEventListener('keydown', press)
    }
  }, [])
}

/** The action of the component that was mounted last goes first. */
const find = (actions: readonly Action[], keys: string): Action | undefined =>
  actions.findLast((action) => action.keys?.includes(keys))

/** The key as actions name it; null if it is held down together with keys that make it something else. */
function pressedKey(event: KeyboardEvent): string | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  // Some layouts type # and [ with AltGr, which some systems report as Ctrl and Alt.
  if (event.getModifierState('AltGraph')) return key
  if (ctrlKey || metaKey) return altKey || shiftKey ? null : `mod+${key.toLowerCase()}`
  return altKey || ['Shift', 'Control', 'Alt', 'Meta'].includes(key) ? null : key
}

/** Whether an element takes the keys as text. */
export const isTyping = (target: Element): boolean => target.matches(TYPING) && !target.matches(NOT_TYPED)

/** Whether a dialog covers the screen. */
export const isModalOpen = (): boolean => document.querySelector('[aria-modal=true]') !== null

function isListening(action: Action, event: KeyboardEvent, pressed: string, isModal: boolean): boolean {
  if (action.disabled || !action.keys) return false
  if (pressed.startsWith('mod+')) return true
  const target = event.target instanceof HTMLElement ? event.target : document.body
  if (action.field) return action.field.current === target
  if (pressed.length === 1 && !areSingleKeysOn()) return false
  if (isTyping(target) || target.closest(BUSY) || isModal) return false
  if (!action.within || (pressed.length === 1 && pressed !== ' ')) return true
  // Links and buttons use these keys themselves.
  if (pressed === 'Enter' && target.closest('a, button, input, [role=button]')) return false
  if (pressed === ' ' && target.closest('button, input, [role=button]')) return false
  const isNowhere = target === document.body || target.id === 'content'
  return isNowhere || Boolean(action.within.current?.contains(target))
}

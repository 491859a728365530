import { type RefObject, useEffect, useRef } from 'react'

/** An action that a screen or a selection offers, with its keys. The palette and the keyboard help list it. */
export interface Action {
  id: string
  label: string
  /** The heading in the palette and the keyboard help. */
  group: string
  /** Each one a key, such as `s` or `Delete`, two keys in a row, such as `g h`, or `mod+k`. */
  keys?: readonly string[]
  run: () => void
  /**
   * Whether it is unavailable now. The help still lists its keys. Actions that the role does not allow are not offered
   * at all.
   */
  disabled?: boolean
  /** Keys such as Enter and ArrowDown work only while the focus is in this element, or nowhere. */
  within?: RefObject<HTMLElement | null>
  /** The keys also work in this text field. */
  field?: RefObject<HTMLElement | null>
  /** Keys that only make sense in place, such as moving to the next row. The palette leaves them out. */
  isHidden?: boolean
}

/** Actions of a screen replace actions of the shell that have the same id or keys. */
type Level = 'shell' | 'screen'

/** The actions of the mounted components, in the order in which they were mounted. */
const offers = new Set<{ actions: readonly Action[]; level: Level }>()

/**
 * Offers actions while the component is mounted.
 * @param offered the actions; false in place of one that the role does not allow, or that makes no sense now
 */
export function useActions(offered: readonly (Action | false)[], level: Level = 'screen'): void {
  const actions = offered.filter((action) => action !== false)
  const offer = useRef({ actions, level })
  useEffect(() => {
    offer.current.actions = actions
  })
  useEffect(() => {
    const { current } = offer
    offers.add(current)
    return () => {
      offers.delete(current)
    }
  }, [])
}

/** Runs an action on offer. */
export const runAction = (id: string): void =>
  currentActions()
    .find((action) => action.id === id)
    ?.run()

/** All actions on offer. Of several with the same id, the one of the component that was mounted last. */
export function currentActions(): Action[] {
  const byId = new Map<string, Action>()
  for (const level of ['shell', 'screen'])
    for (const offer of offers)
      if (offer.level === level) for (const action of offer.actions) byId.set(action.id, action)
  return [...byId.values()]
}

import { Menu } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import { type ReactNode, useCallback, useRef } from 'react'
import { strings } from '#strings/pipeline.ts'
import { returnFocusTo } from '#web/browser/focus.ts'
import { useBoard } from '../board-context.ts'

interface StageItemsProps {
  /** The stage that is left out of the choice; null for none. */
  current: string | null
  choose: (stage: string) => void
}

/** The stages as items of a menu. */
export function StageItems({ current, choose }: StageItemsProps) {
  const { stages } = useBoard()
  return (
    <>
      <Menu.Label>{strings.moveTo}</Menu.Label>
      {stages.map(({ stage, label }) => {
        const isHere = stage === current
        const Icon = isHere ? IconCheck : IconArrowRight
        return (
          <Menu.Item
            key={stage}
            leftSection={<Icon size={16} aria-hidden />}
            disabled={isHere}
            onClick={() => choose(stage)}
          >
            <bdi>{label}</bdi>
          </Menu.Item>
        )
      })}
    </>
  )
}

interface StageMenuProps extends StageItemsProps {
  opened: boolean
  onChange: (isOpen: boolean) => void
  /** The button. */
  children: ReactNode
}

const OUTSIDE_EVENTS = ['mousedown', 'touchstart']

/** A menu of stages. */
export function StageMenu({ opened, onChange, children, ...items }: StageMenuProps) {
  const opener = useRef<Element | null>(null)
  const menu = useRef<HTMLDivElement | null>(null)
  // Mantine focuses the first item, which fails if that is the stage of the deals: the arrow keys would then stay with
  // the board.
  const focusFirst = useCallback((shown: HTMLDivElement | null) => {
    menu.current = shown
    if (!shown || shown.contains(document.activeElement)) return
    opener.current = document.activeElement
    shown.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus({ preventScroll: true })
  }, [])
  const change = (isOpen: boolean) => {
    onChange(isOpen)
    if (!isOpen) setTimeout(() => returnFocus(menu.current, opener.current))
  }
  return (
    <Menu
      opened={opened}
      onChange={change}
      position="bottom-start"
      width={230}
      withinPortal
      // The key that opens it is pressed outside of it.
      clickOutsideEvents={OUTSIDE_EVENTS}
      // Without transitions, Mantine would return it to the item that had it.
      returnFocus={false}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown ref={focusFirst} mah="60vh" style={{ overflowY: 'auto' }}>
        <StageItems {...items} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Unless something else has the focus already. */
function returnFocus(menu: HTMLElement | null, opener: Element | null): void {
  const { activeElement } = document
  const isLost = activeElement === null || activeElement === document.body || menu?.contains(activeElement)
  if (isLost) returnFocusTo(opener)
}

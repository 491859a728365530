import { Menu } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { strings } from '#strings/pipeline.ts'
import { useBoard } from './board-context.ts'

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

/** Mantine focuses the first item, in vain if that is the stage of the deals: the arrow keys would stay with the board. */
const focusFirst = (menu: HTMLElement | null): void => {
  if (menu && !menu.contains(document.activeElement))
    menu.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus({ preventScroll: true })
}

/** A menu of stages. */
export function StageMenu({ opened, onChange, children, ...items }: StageMenuProps) {
  return (
    <Menu
      opened={opened}
      onChange={onChange}
      position="bottom-start"
      width={230}
      withinPortal
      // It would be a child of the menu that is no item.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown ref={focusFirst} mah="60vh" style={{ overflowY: 'auto' }}>
        <StageItems {...items} />
      </Menu.Dropdown>
    </Menu>
  )
}

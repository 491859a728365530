import { Menu } from '@mantine/core'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'
import type { View, ViewEntity } from './view-queries.ts'
import { VIEW_SCREENS } from './view-screens.ts'

interface HiddenViewsProps {
  entity: ViewEntity
  views: readonly View[]
  current: View | undefined
}

/** The menu of all views, for views whose tabs do not fit. */
export function HiddenViews({ entity, views, current, ...menu }: HiddenViewsProps & OverlayProps) {
  return (
    <AnchoredMenu {...menu} position="bottom-end" withinPortal shadow="md">
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {views.map(({ id, name }) => (
          <ScreenMenuItem
            key={id}
            to={VIEW_SCREENS[entity]}
            search={{ view: id }}
            {...(id === current?.id && { 'aria-current': 'page' as const })}
          >
            <bdi>{name}</bdi>
          </ScreenMenuItem>
        ))}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}

import { Menu, type MenuItemProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { OfAnchor } from './link.tsx'

/** A link to another screen in a menu. */
export const ScreenMenuItem = createLink((props: OfAnchor<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
))

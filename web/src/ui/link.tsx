import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

/** The props of a Mantine component plus those of an anchor. */
type OfAnchor<P> = P &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P> & { ref?: Ref<HTMLAnchorElement> }

/** A link to another screen. */
export const ScreenLink = createLink((props: OfAnchor<AnchorProps>) => <Anchor {...props} />)

/** The same as a button. */
export const ScreenButton = createLink((props: OfAnchor<ButtonProps>) => <Button component="a" {...props} />)

/** The same in the main navigation. */
export const ScreenNavLink = createLink((props: OfAnchor<NavLinkProps>) => (
  <NavLink component="a" {...props} />
))

/** The same in a menu. */
export const ScreenMenuItem = createLink((props: OfAnchor<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
))

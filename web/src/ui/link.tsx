import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

/** The props of a Mantine component plus those of an anchor. */
export type OfAnchor<P> = P &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P> & { ref?: Ref<HTMLAnchorElement> }

/** A link to another screen. */
export const ScreenLink = createLink((props: OfAnchor<AnchorProps>) => <Anchor {...props} />)

/** The same as a button. */
export const ScreenButton = createLink((props: OfAnchor<ButtonProps>) => <Button component="a" {...props} />)

export interface ValueInputProps {
  value: unknown
  onChange: (value: unknown) => void
  /** For screen readers. */
  label: string
}

/** Lists of options stay inside the popover, so that a click on one is not a click outside, and are not cut off by it. */
export const IN_POPOVER = {
  withinPortal: false,
  floatingStrategy: 'fixed',
  // Fast typing does not wait for a transition.
  transitionProps: { duration: 0 },
} as const

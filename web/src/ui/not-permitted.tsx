import { IconLock } from '@tabler/icons-react'
import { strings } from '#strings/general.ts'
import { EmptyState } from './states.tsx'

/** Replaces a screen that the user's role may not open. */
export function NotPermitted({ children }: { children: string }) {
  return (
    <EmptyState icon={<IconLock aria-hidden />} title={strings.notPermitted}>
      {children}
    </EmptyState>
  )
}

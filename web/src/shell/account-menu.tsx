import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/general.ts'
import { queries } from '#web/api/queries.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { AccountMenuItems } from './account-menu-items.tsx'
import classes from './sidebar.module.css'

const MenuButton = overlayButton('menu', AccountMenuItems)

/** The button that opens the account menu. */
export function AccountMenu({ hasName = false }: { hasName?: boolean }) {
  const { data: user } = useQuery(queries.me())
  if (!user) return null
  return (
    <MenuButton user={user} position={hasName ? 'top-start' : 'bottom-end'}>
      <UnstyledButton className={hasName ? classes.item : classes.avatar}>
        <Monogram name={user.name ?? user.email} size={hasName ? 20 : 26} isPerson />
        <VisuallyHidden>{strings.account}</VisuallyHidden>
        {hasName && (
          <span className={classes.label} dir="auto">
            {user.name ?? user.email}
          </span>
        )}
      </UnstyledButton>
    </MenuButton>
  )
}

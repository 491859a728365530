import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { strings } from '#strings/companies.ts'
import { signedInEmail } from '#web/api/signed-in-user.ts'

const nameOf = () => `facets:${signedInEmail()}`

interface FacetColumn {
  /** Whether the window has room for the column beside the list. Otherwise, the facets are in a drawer. */
  hasRoom: boolean
  isShown: boolean
  toggle: () => void
}

/** The column of facets, collapsed until the user opens it, which this browser remembers for each of them. */
export function useFacetColumn(): FacetColumn {
  const hasRoom = useMediaQuery('(min-width: 90em)', false, { getInitialValueInEffect: false }) ?? false
  const [isExpanded, setExpanded] = useState(() => localStorage.getItem(nameOf()) === 'expanded')
  const toggle = () => {
    setExpanded(!isExpanded)
    localStorage.setItem(nameOf(), isExpanded ? 'collapsed' : 'expanded')
  }
  return { hasRoom, isShown: hasRoom && isExpanded, toggle }
}

/** Shows and collapses the column of facets, or opens their drawer. */
export function FacetButton({ column, openDrawer }: { column: FacetColumn; openDrawer: () => void }) {
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={strings.filters}
      title={strings.filters}
      {...(column.hasRoom && { 'aria-expanded': column.isShown })}
      onClick={column.hasRoom ? column.toggle : openDrawer}
    >
      <IconListCheck size={16} aria-hidden />
    </ActionIcon>
  )
}

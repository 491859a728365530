import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { strings } from '#strings/fields.ts'
import { useCan } from '#web/api/use-can.ts'
import { hasDraft } from '#web/editing/use-draft.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import classes from './properties.module.css'

/** A field of a record beside its label. */
export interface Property {
  key: string
  label: string
  isEmpty: boolean
  /** The storage key of its draft. */
  draftKey?: string
  /** Whether it takes the whole width, below its label. */
  isWide?: boolean
  /** @param isAdded whether the user has just added it, so that its editor opens */
  render: (isAdded: boolean) => ReactNode
}

/** The properties of a record. Empty ones are in the menu that adds one; those that are emptied stay in their place. */
export function Properties({ properties }: { properties: readonly Property[] }) {
  const mayWrite = useCan('write')
  const [added, add] = useState<readonly string[]>([])
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const filled = properties.filter(({ isEmpty, draftKey }) => !isEmpty || (draftKey && hasDraft(draftKey)))
  if (filled.some(({ key }) => !seen.has(key))) setSeen(new Set([...seen, ...filled.map(({ key }) => key)]))
  const isShown = ({ key, isEmpty }: Property) => !isEmpty || seen.has(key) || added.includes(key)
  const missing = properties.filter((property) => !isShown(property))
  return (
    <div className={classes.list}>
      {properties.filter(isShown).map(({ key, isWide, render }) => (
        <div key={key} className={classes.row} data-wide={isWide || undefined}>
          {render(added.includes(key))}
        </div>
      ))}
      {mayWrite && missing.length > 0 && (
        <AddPropertyButton missing={missing} add={(key) => add([...added, key])}>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={14} aria-hidden />}
            style={{ alignSelf: 'flex-start' }}
            ms={-8}
            mt={4}
          >
            {strings.addProperty}
          </Button>
        </AddPropertyButton>
      )}
    </div>
  )
}

interface AddPropertyProps {
  missing: readonly Property[]
  add: (key: string) => void
}

/** The empty properties. The editor of the chosen one takes the focus. */
const AddProperty = ({ missing, add, ...menu }: AddPropertyProps & OverlayProps) => (
  <AnchoredMenu {...menu} position="bottom-start" returnFocus={false}>
    <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
      {missing.map(({ key, label }) => (
        <Menu.Item key={key} onClick={() => add(key)}>
          {label}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </AnchoredMenu>
)

const AddPropertyButton = overlayButton('menu', AddProperty)

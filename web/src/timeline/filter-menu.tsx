import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { strings } from '#strings/timeline.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import type { TimelineFilter } from './entry.ts'

interface FilterMenuProps {
  choices: readonly TimelineFilter[]
  value: TimelineFilter
  choose: (filter: TimelineFilter) => void
}

/** Chooses the kinds of entries that the timeline shows. */
export const FilterMenu = (props: FilterMenuProps) => (
  <FilterButton {...props}>
    <Button
      variant="default"
      fw={400}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      aria-label={strings.showing(strings.filters[props.value])}
    >
      {strings.filters[props.value]}
    </Button>
  </FilterButton>
)

const FilterButton = overlayButton(
  'menu',
  ({ choices, value, choose, ...menu }: FilterMenuProps & OverlayProps) => (
    <AnchoredMenu {...menu} position="bottom-end">
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.Item
            key={choice}
            aria-current={choice === value}
            leftSection={
              <IconCheck size={14} aria-hidden style={choice === value ? {} : { visibility: 'hidden' }} />
            }
            onClick={() => choose(choice)}
          >
            {strings.filters[choice]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </AnchoredMenu>
  ),
)

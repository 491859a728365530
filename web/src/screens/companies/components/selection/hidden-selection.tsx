import { Button, Group, Text } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import { idsFilter } from '#web/filters/tree.ts'
import type { ChangeSearch } from '../../hooks/use-company-list.ts'
import { selection } from '../../selection.ts'

interface HiddenSelectionProps {
  /** How many selected companies the filter hides; 'some': perhaps some. */
  hidden: number | 'some'
  change: ChangeSearch
}

/** Says how many selected companies the filter hides, and shows the selected ones alone. */
export function HiddenSelection({ hidden, change }: HiddenSelectionProps) {
  const show = () => change({ filter: idsFilter([...selection.ids()], 'in'), q: undefined, by: undefined })
  return (
    <Group gap="xs" justify="center">
      <Text size="xs" role="status">
        {hidden === 'some' ? strings.someHidden : strings.hiddenByFilter(hidden)}
      </Text>
      <Button size="compact-xs" variant="light" onClick={show}>
        {strings.showSelected}
      </Button>
    </Group>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { strings } from '#strings/companies.ts'
import { NO_FILTERS } from './companies-search.ts'
import { selection } from './selection.ts'
import type { ChangeSearch } from './use-company-list.ts'

/** An address with more ids would not pass all proxies. */
const MAX_IDS_IN_ADDRESS = 150

interface HiddenSelectionProps {
  /** How many selected companies the filter hides. */
  hidden: number
  change: ChangeSearch
}

/** Says how many selected companies the filter hides, and shows them, if there are too many, among all others. */
export function HiddenSelection({ hidden, change }: HiddenSelectionProps) {
  const ids = [...selection.ids()]
  const isShort = ids.length <= MAX_IDS_IN_ADDRESS
  const show = () => {
    const filter = isShort ? { field: 'id', op: 'in' as const, value: ids } : NO_FILTERS.filter
    change({ filter, q: undefined, by: undefined })
  }
  return (
    <Group gap="xs" justify="center">
      <Text size="xs" role="status">
        {strings.hiddenByFilter(hidden)}
      </Text>
      <Button size="compact-xs" variant="light" onClick={show}>
        {isShort ? strings.showSelected : strings.clearFilters}
      </Button>
    </Group>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { strings } from '#strings/companies.ts'
import type { CompaniesSearch } from './companies-search.ts'
import { gatherIds } from './gather-ids.ts'
import { MOST_SELECTED, selection, useSelectedCount, useShareSelected } from './selection.ts'

interface SelectMatchingProps {
  search: CompaniesSearch
  rows: readonly { id: string }[]
  total: number
}

/** Offers, once a whole page is selected, to select what matches on all the other pages too. */
export function SelectMatching({ search, rows, total }: SelectMatchingProps) {
  const share = useShareSelected(rows)
  const count = useSelectedCount()
  const [gathered, setGathered] = useState(0)
  const stopping = useRef<AbortController>(undefined)
  const what = JSON.stringify({ ...search, page: undefined, sort: undefined, total })
  const gather = useMutation({
    /** @returns of what all are selected now */
    mutationFn: async () => {
      const controller = new AbortController()
      stopping.current = controller
      setGathered(0)
      const ids = await gatherIds(search, { told: setGathered, signal: controller.signal })
      if (ids) selection.fill(ids)
      return ids && what
    },
  })
  useEffect(() => () => stopping.current?.abort(), [])
  const wanted = Math.min(total, MOST_SELECTED)

  if (gather.isPending)
    return (
      <Group gap="xs" justify="center" role="status">
        <Text size="xs">{strings.gathering(gathered, wanted)}</Text>
        <Button size="compact-xs" variant="subtle" onClick={() => stopping.current?.abort()}>
          {strings.stop}
        </Button>
      </Group>
    )
  const hasAll = count === wanted || count >= MOST_SELECTED || gather.data === what
  if (share !== 'all' || total <= rows.length || hasAll) return null
  return (
    <Group gap="xs" justify="center">
      <Text size="xs" c="dimmed">
        {strings.pageSelected(rows.length)}
      </Text>
      <Button size="compact-xs" variant="light" onClick={() => gather.mutate()}>
        {total > MOST_SELECTED ? strings.selectFirst(MOST_SELECTED, total) : strings.selectMatching(total)}
      </Button>
      {total > MOST_SELECTED && (
        <Text size="xs" c="dimmed">
          {strings.mostAtOnce(MOST_SELECTED)}
        </Text>
      )}
    </Group>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { strings } from '#strings/companies.ts'
import { ReturnFocus } from '#web/browser/focus.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { type CompaniesSearch, isSemanticSearch } from '../../companies-search.ts'
import { fetchMatchingIds } from '../../fetch-matching-ids.ts'
import {
  listKeyOf,
  MAX_SELECTED,
  mayExclude,
  selection,
  useIsMatchingSelected,
  useSelectedCount,
  useSelectionState,
} from '../../selection.ts'

interface SelectMatchingProps {
  search: CompaniesSearch
  /** Whether the list is known to hide no selected company. */
  isNoneHidden: boolean
  rows: readonly { id: string }[]
  total: number
}

/** Once a whole page is selected, offers to select all matching companies on the other pages too. */
export function SelectMatching({ search, isNoneHidden, rows, total }: SelectMatchingProps) {
  const pageState = useSelectionState(rows)
  const count = useSelectedCount()
  const [found, setFound] = useState(0)
  const running = useRef<AbortController>(undefined)
  const isMatchingSelected = useIsMatchingSelected()
  const listKey = `${listKeyOf(search)} ${total}`
  // A filter that matches exactly the selected companies is sent instead of their ids.
  const isByFilter = isNoneHidden && total <= MAX_SELECTED && !isSemanticSearch(search) && mayExclude(search)
  const select = useMutation({
    /** @returns the key of the list that is now selected, or null if it was stopped */
    mutationFn: async () => {
      const controller = new AbortController()
      running.current = controller
      setFound(0)
      const ids = await fetchMatchingIds(search, { onProgress: setFound, signal: controller.signal })
      if (ids) selection.fill(ids)
      return ids && listKey
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  const limit = Math.min(total, MAX_SELECTED)
  const hasAll = count === limit || count >= MAX_SELECTED || select.data === listKey
  const canSelect =
    !select.isPending && pageState === 'all' && total > rows.length && !hasAll && !isMatchingSelected
  const label =
    total > MAX_SELECTED ? strings.selectFirst(MAX_SELECTED, total) : strings.selectMatching(total)
  const selectAll = () => (isByFilter ? selection.matchAll(search, total) : select.mutate())
  useActions([canSelect && { id: 'select-matching', label, group: strings.selection, run: selectAll }])

  if (select.isPending)
    return (
      <Group gap="xs" justify="center" role="status">
        <Text size="xs">{strings.selecting(found, limit)}</Text>
        <Button size="compact-xs" variant="subtle" onClick={() => running.current?.abort()}>
          {strings.stop}
        </Button>
      </Group>
    )
  if (!canSelect) return null
  return (
    <Group gap="xs" justify="center">
      <ReturnFocus />
      <Text size="xs" c="dimmed">
        {strings.pageSelected(rows.length)}
      </Text>
      <Button size="compact-xs" variant="light" onClick={selectAll}>
        {label}
      </Button>
      {total > MAX_SELECTED && (
        <Text size="xs" c="dimmed">
          {strings.selectionLimit(MAX_SELECTED)}
        </Text>
      )}
    </Group>
  )
}

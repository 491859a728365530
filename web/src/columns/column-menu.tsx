import { Menu } from '@mantine/core'
import {
  IconArrowBarDown,
  IconArrowBarToLeft,
  IconArrowBarToRight,
  IconArrowBarUp,
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconEyeOff,
  IconPin,
  IconPinnedOff,
} from '@tabler/icons-react'
import { hasNullsFirst, type SortKey } from '#src/client/limits.ts'
import { strings } from '#strings/columns.ts'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import { WIDTH_STEP } from '#web/views/column-state.ts'
import { parseSort } from '#web/views/view-state.ts'
import type { TableColumn } from './column.ts'
import type { ColumnActions } from './use-column-actions.ts'
import type { TableHeader } from './use-table.ts'

interface ColumnMenuProps {
  column: TableColumn
  header: TableHeader
  actions: ColumnActions
  sort: string | undefined
  sortBy: (keys: SortKey[]) => void
}

/** The actions for a column, as an alternative to dragging. */
export function ColumnMenu({
  column,
  header,
  actions,
  sort,
  sortBy,
  ...menu
}: ColumnMenuProps & OverlayProps) {
  const { field, width, start, isFirst, isOptional } = column
  const keys = parseSort(sort)
  const key = keys.find((sorted) => sorted.field === field)
  const placeEmpty = (nulls: 'first' | 'last') =>
    sortBy(keys.map((sorted) => (sorted === key ? { ...sorted, nulls } : sorted)))
  const isPinned = start !== undefined
  const item = (
    Icon: typeof IconPin,
    text: string,
    act: () => void,
    options: { disabled?: boolean } = {},
  ) => (
    <Menu.Item leftSection={<Icon size={14} aria-hidden />} onClick={act} {...options}>
      {text}
    </Menu.Item>
  )
  return (
    <AnchoredMenu {...menu} position="bottom-start" withinPortal shadow="md" closeOnItemClick={false}>
      <Menu.Dropdown>
        {header.column.getCanSort() && (
          <>
            {item(IconArrowUp, strings.sortAscending, () => header.column.toggleSorting(false))}
            {item(IconArrowDown, strings.sortDescending, () => header.column.toggleSorting(true))}
            {item(IconArrowUp, strings.thenAscending, () => header.column.toggleSorting(false, true))}
            {item(IconArrowDown, strings.thenDescending, () => header.column.toggleSorting(true, true))}
            {key &&
              isOptional &&
              (hasNullsFirst(key)
                ? item(IconArrowBarDown, strings.emptyLast, () => placeEmpty('last'))
                : item(IconArrowBarUp, strings.emptyFirst, () => placeEmpty('first')))}
            <Menu.Divider />
          </>
        )}
        {!isFirst && (
          <>
            {item(IconArrowLeft, strings.moveLeft, () => actions.shift(field, -1), {
              disabled: !actions.canShift(field, -1),
            })}
            {item(IconArrowRight, strings.moveRight, () => actions.shift(field, 1), {
              disabled: !actions.canShift(field, 1),
            })}
            {item(isPinned ? IconPinnedOff : IconPin, isPinned ? strings.unpin : strings.pin, () =>
              actions.pin(field, !isPinned),
            )}
          </>
        )}
        {item(IconArrowBarToLeft, strings.narrower, () => actions.resize(field, width - WIDTH_STEP))}
        {item(IconArrowBarToRight, strings.wider, () => actions.resize(field, width + WIDTH_STEP))}
        {!isFirst && (
          <Menu.Item
            leftSection={<IconEyeOff size={14} aria-hidden />}
            closeMenuOnClick
            onClick={() => actions.hide(field)}
          >
            {strings.hideColumn}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}

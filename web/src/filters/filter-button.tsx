import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { strings } from '#strings/filters.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { overlayButton } from '#web/ui/anchored.tsx'
import { FilterPopover } from './filter-popover.tsx'
import classes from './filters.module.css'
import { type ChangeFilter, type Filter, partsOf } from './tree.ts'
import type { FilterEntity } from './use-fields.ts'

const FilterPopoverButton = overlayButton('dialog', FilterPopover)

/** Whether the builder is open, and what it edits. */
interface BuilderState {
  isOpen: boolean
  /** An index at the top level; undefined: a new condition. */
  at: number | undefined
  open: (at?: number) => void
  close: () => void
}

export function useFilterBuilder(): BuilderState {
  const [{ isOpen, at }, set] = useState<{ isOpen: boolean; at: number | undefined }>({
    isOpen: false,
    at: undefined,
  })
  const open = useCallback((at?: number) => set({ isOpen: true, at }), [])
  const close = useCallback(() => set({ isOpen: false, at: undefined }), [])
  return useMemo(() => ({ isOpen, at, open, close }), [isOpen, at, open, close])
}

interface FilterButtonProps {
  entity: FilterEntity
  value: Filter | undefined
  onChange: ChangeFilter
  /** Shared with chips that open the builder. */
  builder?: BuilderState
  size?: ButtonProps['size']
}

/** Opens the filter builder, also with the key `f`. */
export function FilterButton({ entity, value, onChange, builder, size = 'sm' }: FilterButtonProps) {
  const own = useFilterBuilder()
  const { isOpen, at, open, close: hide } = builder ?? own
  const close = () => {
    // Leaving the field applies a value that is still being typed.
    const focused = document.activeElement
    if (focused instanceof HTMLElement && focused.closest(`.${classes.builder}`)) focused.blur()
    hide()
  }
  useActions([
    { id: 'filter', label: strings.filter, group: keyboard.workspace, keys: ['f'], run: () => open() },
  ])
  const count = partsOf(value).length
  return (
    <FilterPopoverButton
      entity={entity}
      value={value}
      change={onChange}
      at={at}
      isOpen={isOpen}
      onOpenChange={(isOpening) => (isOpening ? open() : close())}
    >
      <Button
        variant="default"
        size={size}
        leftSection={<IconFilter size={16} aria-hidden />}
        rightSection={
          count > 0 && (
            <span className={classes.count}>
              {count}
              <VisuallyHidden> {strings.active}</VisuallyHidden>
            </span>
          )
        }
        aria-keyshortcuts="f"
      >
        {strings.filter}
      </Button>
    </FilterPopoverButton>
  )
}

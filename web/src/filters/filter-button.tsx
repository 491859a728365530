import { Button, type ButtonProps, Popover, VisuallyHidden } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type KeyboardEvent, Suspense, useCallback, useMemo, useState } from 'react'
import { strings } from '#strings/filters.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { SkeletonLines } from '#web/ui/states.tsx'
import classes from './filters.module.css'
import { type ChangeFilter, type Filter, partsOf } from './tree.ts'
import type { FilterEntity } from './use-fields.ts'

const FilterBuilder = lazyPart(async () => ({
  default: (await import('./filter-builder.tsx')).FilterBuilder,
}))

/** Whether the builder is open, and what it edits. */
export interface BuilderState {
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
    // A value that is still being typed counts.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    hide()
  }
  useActions([
    { id: 'filter', label: strings.filter, group: keyboard.workspace, keys: ['f'], run: () => open() },
  ])
  const count = partsOf(value).length
  return (
    <Popover
      opened={isOpen}
      onChange={(isOpening) => !isOpening && close()}
      position="bottom-start"
      width="min(46rem, calc(100vw - 1rem))"
      shadow="md"
      trapFocus
      returnFocus
      closeOnEscape={false}
      hideDetached={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
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
          onClick={() => (isOpen ? close() : open())}
        >
          {strings.filter}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        aria-label={strings.title}
        className={classes.builder}
        onKeyDown={closesOnEscape(close)}
      >
        <Suspense fallback={<SkeletonLines lines={3} />}>
          <FilterBuilder
            key={String(at)}
            entity={entity}
            value={value}
            onChange={onChange}
            at={at}
            close={close}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Escape closes the builder, unless it closes a list of options in it. */
const closesOnEscape = (close: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  const isListOpen = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
  if (event.key === 'Escape' && !isListOpen) close()
}

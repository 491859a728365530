import { Popover } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { strings } from '#strings/filters.ts'
import { ReturnFocus } from '#web/browser/focus.ts'
import { AnchoredPopover, type OverlayProps } from '#web/ui/anchored.tsx'
import { FilterBuilder } from './filter-builder.tsx'
import classes from './filters.module.css'
import type { ChangeFilter, Filter } from './tree.ts'
import type { FilterEntity } from './use-fields.ts'

interface FilterPopoverProps {
  entity: FilterEntity
  value: Filter | undefined
  change: ChangeFilter
  /** The condition to edit; undefined: a new one. */
  at: number | undefined
}

/** The filter builder below its button. */
export function FilterPopover({ entity, value, change, at, ...popover }: FilterPopoverProps & OverlayProps) {
  const close = () => popover.onChange(false)
  return (
    <AnchoredPopover
      {...popover}
      position="bottom-start"
      width="min(46rem, calc(100vw - 1rem))"
      shadow="md"
      trapFocus
      returnFocus
      closeOnEscape={false}
      hideDetached={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Dropdown
        aria-label={strings.title}
        className={classes.builder}
        onKeyDown={closesOnEscape(close)}
      >
        <ReturnFocus />
        <FilterBuilder
          key={String(at)}
          entity={entity}
          value={value}
          onChange={change}
          at={at}
          close={close}
        />
      </Popover.Dropdown>
    </AnchoredPopover>
  )
}

/** Escape closes the builder, unless it closes a list of options in it. */
const closesOnEscape = (close: () => void) => (event: KeyboardEvent<HTMLElement>) => {
  const isListOpen = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
  if (event.key === 'Escape' && !isListOpen) close()
}

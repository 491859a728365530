import { Box } from '@mantine/core'
import tableClasses from '#web/columns/table.module.css'
import classes from './list-skeleton.module.css'

interface ListSkeletonProps {
  /** The records. */
  of: string
  isCompact: boolean
  /** Whether rows will have a second line for a passage. */
  isSearch?: boolean
}

/** Placeholder rows while a list loads. */
export function ListSkeleton({ of, isCompact, isSearch = false }: ListSkeletonProps) {
  return (
    <Box
      className={tableClasses.region}
      aria-hidden
      data-skeleton={of}
      mod={{ compact: isCompact, passages: isSearch }}
    >
      {Array.from({ length: 18 }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
        <div key={line} className={classes.row}>
          <i />
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
    </Box>
  )
}

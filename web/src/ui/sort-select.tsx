import { NativeSelect } from '@mantine/core'
import { strings } from '#strings/general.ts'

interface SortSelectProps<Sort extends string> {
  /** The first is the order without a choice. */
  sorts: readonly { value: Sort; label: string }[]
  /** As the service takes it. */
  sort: string | undefined
  sortBy: (sort: Sort | undefined) => void
  className?: string | undefined
}

/** Sorts a list that has no column headers. */
export function SortSelect<Sort extends string>({ sorts, sort, sortBy, className }: SortSelectProps<Sort>) {
  const [first] = sorts
  const isKnown = sort === undefined || sorts.some(({ value }) => value === sort)
  return (
    <NativeSelect
      aria-label={strings.sortBy}
      data={isKnown ? [...sorts] : [...sorts, { value: sort, label: strings.otherSort }]}
      value={sort ?? first?.value}
      onChange={({ currentTarget: { value: chosen } }) =>
        sortBy(sorts.find(({ value }) => value === chosen && value !== first?.value)?.value)
      }
      className={className}
    />
  )
}

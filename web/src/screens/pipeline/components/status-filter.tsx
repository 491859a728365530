import { NativeSelect } from '@mantine/core'
import { DEAL_STATUSES } from '#src/client/limits.ts'
import { strings } from '#strings/pipeline.ts'
import { formatWord } from '#web/format/format.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'

interface StatusFilterProps {
  status: string
  choose: (status: string) => void
}

export function StatusFilter({ status, choose }: StatusFilterProps) {
  const isKnown = status === 'all' || (DEAL_STATUSES as readonly string[]).includes(status)
  const words = [...DEAL_STATUSES, ...(isKnown ? [] : [status])]
  const data = [
    { value: 'all', label: strings.allStatuses },
    ...words.map((word) => ({ value: word, label: formatWord(word) })),
  ]
  return (
    <>
      <SegmentedControl
        aria-label={strings.filterByStatus}
        value={status}
        onChange={choose}
        data={data}
        visibleFrom="sm"
      />
      <NativeSelect
        aria-label={strings.filterByStatus}
        value={status}
        onChange={(event) => choose(event.currentTarget.value)}
        data={data}
        hiddenFrom="sm"
        w="8.5rem"
      />
    </>
  )
}

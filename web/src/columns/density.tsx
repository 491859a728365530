import { strings } from '#strings/columns.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { useIsCompact, usePreferences } from '#web/ui/use-preferences.ts'

/** How high rows are. */
export default function Density() {
  const { change } = usePreferences()
  const isCompact = useIsCompact()
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={strings.density}
      value={isCompact ? 'compact' : 'comfortable'}
      onChange={(view_mode) => change({ view_mode })}
      data={[
        { value: 'comfortable', label: strings.comfortable },
        { value: 'compact', label: strings.compact },
      ]}
    />
  )
}

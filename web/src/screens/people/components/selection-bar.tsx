import { Button, CloseButton, Paper, Text } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { strings as lists } from '#strings/lists.ts'
import { strings } from '#strings/people.ts'
import { ReturnFocus } from '#web/browser/focus.ts'
import { useActions } from '#web/keyboard/actions.ts'
import classes from '#web/lists/list.module.css'
import { LazyDialog } from '#web/ui/lazy.tsx'
import type { SelectedPeople } from '../hooks/use-selected-people.ts'

const MergePeople = lazy(() => import('#web/people/merge-people.tsx'))

/** The service merges at most 50 others into one. */
const MAX_MERGED = 51

/** The actions for the selected people. Hidden while none are selected. */
export function SelectionBar({ selected }: { selected: SelectedPeople }) {
  const { people, clear } = selected
  const [isMerging, setMerging] = useState(false)
  const close = () => setMerging(false)
  const count = people.length
  const canMerge = count > 1 && count <= MAX_MERGED
  const merge = () => setMerging(true)
  const group = strings.selection
  useActions([
    count > 0 && {
      id: 'merge-selected',
      label: strings.merge,
      group,
      keys: ['m'],
      run: merge,
      disabled: !canMerge,
    },
    count > 0 && { id: 'clear-selection', label: lists.clearSelection, group, run: clear },
  ])
  if (count === 0) return null
  return (
    <>
      <Paper component="section" aria-label={group} className={classes.bar} withBorder shadow="lg">
        <ReturnFocus />
        <div className={classes.barRow}>
          <Text size="sm" fw={600} role="status" style={{ whiteSpace: 'nowrap' }}>
            {lists.selected(count)}
          </Text>
          <Button
            size="xs"
            leftSection={<IconArrowMerge size={16} aria-hidden />}
            disabled={!canMerge}
            onClick={merge}
          >
            {strings.merge}
          </Button>
          <CloseButton aria-label={lists.clearSelection} title={lists.clearSelection} onClick={clear} />
        </div>
        {!canMerge && (
          <Text size="xs" c="dimmed">
            {count === 1 ? strings.selectAnother : strings.mergeLimit(MAX_MERGED)}
          </Text>
        )}
      </Paper>
      {isMerging && (
        <LazyDialog close={close}>
          <MergePeople people={people} merged={clear} close={close} />
        </LazyDialog>
      )}
    </>
  )
}

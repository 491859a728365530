import { Button, CloseButton, Paper, Text } from '@mantine/core'
import { IconCheck, IconClockPause, IconTrash, IconUserShare } from '@tabler/icons-react'
import { strings as lists } from '#strings/lists.ts'
import { strings } from '#strings/tasks.ts'
import { ReturnFocus } from '#web/browser/focus.ts'
import type { TaskCommands } from '../hooks/use-task-commands.tsx'
import classes from './tasks.module.css'

interface SelectionBarProps {
  count: number
  commands: TaskCommands
  clear: () => void
}

/** The actions for the selected tasks. */
export function SelectionBar({ count, commands, clear }: SelectionBarProps) {
  const buttons = [
    { label: strings.finishSelected, Icon: IconCheck, run: commands.finish },
    { label: strings.postpone, Icon: IconClockPause, run: commands.postpone },
    { label: strings.reassign, Icon: IconUserShare, run: commands.reassign },
    { label: strings.delete, Icon: IconTrash, run: commands.remove },
  ]
  return (
    <Paper component="section" aria-label={strings.selection} className={classes.bar} withBorder shadow="lg">
      <ReturnFocus />
      <Text size="sm" fw={600} role="status" style={{ whiteSpace: 'nowrap' }}>
        {lists.selected(count)}
      </Text>
      {buttons.map(({ label, Icon, run }) => (
        <Button
          key={label}
          size="xs"
          variant="default"
          leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
          onClick={run}
        >
          {label}
        </Button>
      ))}
      <CloseButton aria-label={lists.clearSelection} title={lists.clearSelection} onClick={clear} />
    </Paper>
  )
}

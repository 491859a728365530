import { Box, Group, Input, Slider, Text } from '@mantine/core'
import { strings } from '#strings/bulk-actions.ts'
import { priorityName } from '../action-labels.ts'

const MARKS = [
  { value: 10, label: strings.background },
  { value: 50, label: strings.normal },
  { value: 95, label: strings.urgent },
]

interface PriorityFieldProps {
  /** 10 to 95. */
  value: number
  change: (priority: number) => void
}

export function PriorityField({ value, change }: PriorityFieldProps) {
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Input.Label labelElement="div">{strings.priority}</Input.Label>
        <Text size="sm" c="dimmed">
          {value} · {priorityName(value)}
        </Text>
      </Group>
      <Input.Description>{strings.priorityHelp}</Input.Description>
      <Box px="xl" pt="sm" pb="lg">
        <Slider
          thumbLabel={strings.priority}
          min={10}
          max={95}
          step={5}
          label={null}
          marks={MARKS}
          value={value}
          onChange={change}
        />
      </Box>
    </div>
  )
}

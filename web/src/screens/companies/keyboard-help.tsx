import { ActionIcon, Group, Kbd, Popover, Stack, Text } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { Fragment } from 'react'
import { strings } from '#strings/companies.ts'

const ANYWHERE = [
  { keys: ['/'], does: strings.keySearch },
  { keys: ['Esc'], does: strings.keyClear },
]
const IN_TABLE = [
  { keys: ['j', '↓'], does: strings.keyDown },
  { keys: ['k', '↑'], does: strings.keyUp },
  { keys: ['Enter'], does: strings.keyOpen },
  { keys: ['x', 'Space'], does: strings.keySelect },
  { keys: [`Shift ${strings.click}`], does: strings.keyRange },
  { keys: ['n'], does: strings.keyNextPage },
  { keys: ['p'], does: strings.keyPreviousPage },
]

/** The list of keyboard shortcuts. */
export function KeyboardHelp() {
  return (
    <Popover position="bottom-end" withinPortal width={300} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="default" size="input-sm" aria-label={strings.keyboard} title={strings.keyboard}>
          <IconKeyboard size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown tabIndex={-1} aria-label={strings.keyboard}>
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {strings.keyboard}
          </Text>
          <Keys keys={ANYWHERE} />
          <Text size="xs" c="dimmed" mt={4}>
            {strings.inTable}
          </Text>
          <Keys keys={IN_TABLE} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function Keys({ keys }: { keys: { keys: string[]; does: string }[] }) {
  return keys.map(({ keys: names, does }) => (
    <Group key={does} justify="space-between" wrap="nowrap" gap="xs">
      <Text size="sm">{does}</Text>
      <Group gap={4} wrap="nowrap">
        {names.map((name, index) => (
          <Fragment key={name}>
            {index > 0 && (
              <Text span size="xs" c="dimmed">
                {strings.or}
              </Text>
            )}
            <Kbd size="xs">{name}</Kbd>
          </Fragment>
        ))}
      </Group>
    </Group>
  ))
}

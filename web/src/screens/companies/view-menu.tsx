import { ActionIcon, Button, Checkbox, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import { usePreferences } from '#web/ui/use-preferences.ts'
import { COLUMNS, DEFAULT_COLUMNS } from './columns.tsx'

interface ViewMenuProps {
  isNarrow: boolean
  isCompact: boolean
  shown: readonly string[]
  show: (columns: string[]) => void
}

/** The row density, stored per user, and the columns, stored in this browser. */
export function ViewMenu({ isNarrow, isCompact, shown, show }: ViewMenuProps) {
  const { change } = usePreferences()
  return (
    <Popover position="bottom-end" withinPortal width={240} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        {isNarrow ? (
          <ActionIcon variant="default" size="input-sm" aria-label={strings.view}>
            <IconAdjustments size={16} aria-hidden />
          </ActionIcon>
        ) : (
          <Button variant="default" leftSection={<IconAdjustments size={16} aria-hidden />}>
            {strings.view}
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown aria-label={strings.view}>
        <Stack gap="sm">
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={strings.density}
            value={isCompact ? 'compact' : 'comfortable'}
            onChange={(mode) => change({ view_mode: mode === 'compact' ? 'compact' : 'comfortable' })}
            data={[
              { value: 'comfortable', label: strings.comfortable },
              { value: 'compact', label: strings.compact },
            ]}
          />
          {!isNarrow && (
            <Stack gap={8} role="group" aria-label={strings.columns}>
              <Text size="xs" c="dimmed" aria-hidden>
                {strings.columns}
              </Text>
              {COLUMNS.map(({ key, label }) => (
                <Checkbox
                  key={key}
                  size="xs"
                  label={label}
                  checked={shown.includes(key)}
                  onChange={(event) =>
                    show(
                      event.currentTarget.checked ? [...shown, key] : shown.filter((other) => other !== key),
                    )
                  }
                />
              ))}
              <Button variant="subtle" size="compact-xs" onClick={() => show(DEFAULT_COLUMNS)}>
                {strings.resetColumns}
              </Button>
            </Stack>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

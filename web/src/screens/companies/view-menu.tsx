import { ActionIcon, Button, Checkbox, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/companies.ts'
import { queries } from '#web/service/queries.ts'
import { service } from '#web/service/service.ts'
import { COLUMNS, USUAL_COLUMNS } from './columns.tsx'

interface ViewMenuProps {
  isNarrow: boolean
  isCompact: boolean
  shown: readonly string[]
  show: (columns: string[]) => void
}

/** How the list looks: how close its rows are, for this user everywhere, and its columns in this browser. */
export function ViewMenu({ isNarrow, isCompact, shown, show }: ViewMenuProps) {
  const density = useDensity()
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
            onChange={(mode) => density.mutate(mode === 'compact' ? 'compact' : 'comfortable')}
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
              <Button variant="subtle" size="compact-xs" onClick={() => show(USUAL_COLUMNS)}>
                {strings.resetColumns}
              </Button>
            </Stack>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Changes the preference; the list follows at once and goes back when it could not be saved. */
function useDensity() {
  const queryClient = useQueryClient()
  const { queryKey } = queries.me()
  return useMutation({
    mutationFn: async (mode: 'comfortable' | 'compact') => {
      const me = await queryClient.ensureQueryData(queries.me())
      return service.updateUser({ params: { email: me.email }, body: { preferences: { view_mode: mode } } })
    },
    onMutate: (mode) => {
      const before = queryClient.getQueryData(queryKey)
      if (before)
        queryClient.setQueryData(queryKey, {
          ...before,
          preferences: { ...before.preferences, view_mode: mode },
        })
      return before
    },
    onError: (_error, _mode, before) => {
      if (before) queryClient.setQueryData(queryKey, before)
    },
  })
}

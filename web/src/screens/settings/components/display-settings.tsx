import { Skeleton, useMantineColorScheme } from '@mantine/core'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/settings.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { usePreferences } from '#web/ui/use-preferences.ts'
import { Setting, SettingGroup } from './setting.tsx'
import { TimeZoneSetting } from './time-zone-setting.tsx'

export function DisplaySettings() {
  const { preferences, change } = usePreferences()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SettingGroup title={strings.display}>
      <Setting label={strings.viewMode} description={strings.viewModeHelp}>
        {(ids) =>
          preferences ? (
            <SegmentedControl
              aria-labelledby={ids.label}
              value={preferences.view_mode}
              onChange={(view_mode) => change({ view_mode })}
              data={[
                { value: 'comfortable', label: strings.comfortable },
                { value: 'compact', label: strings.compact },
              ]}
            />
          ) : (
            <Skeleton height={36} width={200} />
          )
        }
      </Setting>
      <Setting label={strings.theme} description={strings.themeHelp}>
        {(ids) => (
          <SegmentedControl
            aria-labelledby={ids.label}
            value={colorScheme}
            onChange={setColorScheme}
            data={[
              { value: 'light', label: general.light },
              { value: 'dark', label: general.dark },
              { value: 'auto', label: general.system },
            ]}
          />
        )}
      </Setting>
      <TimeZoneSetting />
    </SettingGroup>
  )
}

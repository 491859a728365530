import { NativeSelect, Skeleton } from '@mantine/core'
import { useId } from 'react'
import { strings } from '#strings/settings.ts'
import { usePreferences } from '#web/ui/use-preferences.ts'
import { Setting } from './setting.tsx'

/** The time zone whose days count in filters. */
export function TimeZoneSetting() {
  const { preferences, change } = usePreferences()
  const id = useId()
  const zone = preferences?.time_zone
  return (
    <Setting label={strings.timeZone} description={strings.timeZoneHelp} labelFor={id}>
      {(ids) =>
        preferences ? (
          <NativeSelect
            id={id}
            aria-describedby={ids.description}
            w="14rem"
            value={zone ?? ''}
            onChange={({ currentTarget: { value } }) => change({ time_zone: value })}
            data={[
              ...(zone ? [] : [{ value: '', label: strings.workspaceTimeZone }]),
              ...zonesByRegion(zone),
            ]}
          />
        ) : (
          <Skeleton height={36} width="14rem" />
        )
      }
    </Setting>
  )
}

/** @param zone which is listed even if this browser knows it by another name */
function zonesByRegion(zone: string | undefined) {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(zone ? [zone] : [])])
  const regions = Map.groupBy([...zones].sort(), (name) =>
    name.includes('/') ? name.slice(0, name.indexOf('/')) : strings.otherTimeZones,
  )
  return [...regions].map(([group, names]) => ({
    group,
    items: names.map((value) => ({
      value,
      label: value.slice(value.indexOf('/') + 1).replaceAll('_', ' '),
    })),
  }))
}

import { queryOptions, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/settings.ts'
import { queries } from '#web/api/queries.ts'
import { formatWord } from '#web/format/format.ts'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { SkeletonLines } from '#web/ui/states.tsx'
import { SettingGroup } from './setting.tsx'

/** The root of the service returns its version as JSON. */
const serviceVersion = queryOptions({
  queryKey: ['version'],
  queryFn: async ({ signal }): Promise<string | null> => {
    const response = await fetch('/', { signal, headers: { accept: 'application/json' } })
    const { version } = await response.json().catch(() => ({}))
    return typeof version === 'string' ? version : null
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** Version, mode, and the state of the identity provider. */
export function ServiceSection() {
  const version = useQuery(serviceVersion)
  const status = useQuery(queries.authenticationStatus())
  const { mode, identity_provider } = status.data ?? {}
  return (
    <SettingGroup title={strings.service}>
      {status.isPending ? (
        <SkeletonLines lines={3} />
      ) : (
        <DefinitionList
          items={[
            [strings.version, version.data],
            [strings.mode, mode && (strings.modes[mode] ?? formatWord(mode))],
            [
              strings.identityProvider,
              identity_provider && (strings.providers[identity_provider] ?? formatWord(identity_provider)),
            ],
          ]}
        />
      )}
    </SettingGroup>
  )
}

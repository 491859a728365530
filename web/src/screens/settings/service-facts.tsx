import { queryOptions, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/settings.ts'
import { queries } from '#web/service/queries.ts'
import { SkeletonLines } from '#web/ui/states.tsx'
import { formatWord } from '#web/words/format.ts'
import { Facts } from './facts.tsx'
import { SettingGroup } from './setting.tsx'

/** The service names its version at its root to whoever does not ask for a page. */
const serviceVersion = queryOptions({
  queryKey: ['version'],
  queryFn: async ({ signal }): Promise<string | null> => {
    const response = await fetch('/', { signal, headers: { accept: 'application/json' } })
    const { version } = await response.json().catch(() => ({}))
    return typeof version === 'string' ? version : null
  },
  staleTime: Number.POSITIVE_INFINITY,
})

/** What this service is, and whether what it needs is there. */
export function ServiceFacts() {
  const version = useQuery(serviceVersion)
  const status = useQuery(queries.authenticationStatus())
  const { mode, identity_provider } = status.data ?? {}
  return (
    <SettingGroup title={strings.service}>
      {status.isPending ? (
        <SkeletonLines lines={3} />
      ) : (
        <Facts
          facts={[
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

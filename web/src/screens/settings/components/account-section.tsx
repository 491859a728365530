import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/settings.ts'
import { queries } from '#web/api/queries.ts'
import type { CurrentUser } from '#web/api/service.ts'
import { formatAge, formatDay, formatMoment, formatWord } from '#web/format/format.ts'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { SettingGroup } from './setting.tsx'

/** Who is signed in, how, and until when. */
export function AccountSection() {
  const me = useQuery(queries.me())
  return (
    <SettingGroup title={strings.account}>
      {me.isPending && <SkeletonLines lines={6} />}
      {me.isError && <ErrorState error={me.error} retry={() => me.refetch()} />}
      {me.data && (
        <DefinitionList
          items={[
            [strings.name, me.data.name],
            [strings.email, me.data.email],
            [strings.role, formatWord(me.data.role)],
            [strings.signedInBy, strings.ways[me.data.signed_in_by] ?? formatWord(me.data.signed_in_by)],
            [strings.sessionEnds, endOf(me.data)],
            [strings.memberSince, formatDay(me.data.created_at)],
          ]}
        />
      )}
    </SettingGroup>
  )
}

function endOf({ session_expires_at, signed_in_by }: CurrentUser): string {
  if (session_expires_at)
    return strings.sessionEndsAt(formatMoment(session_expires_at), formatAge(session_expires_at))
  return signed_in_by === 'gateway' ? strings.sessionOfGateway : strings.sessionWithoutEnd
}

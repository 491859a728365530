import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDevices } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/sessions.ts'
import { queries } from '#web/api/queries.ts'
import { type Session, service } from '#web/api/service.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { SettingsNavigation } from '../components/settings-navigation.tsx'
import { browserOf, SessionsTable } from './sessions-table.tsx'

/** The sessions of the signed-in user. */
export function SessionsScreen() {
  const sessions = useQuery(queries.sessions())
  const [ending, setEnding] = useState<Session | 'others' | null>(null)
  const all = sessions.data?.data ?? []
  const hasOthers = all.some(({ current }) => !current)
  const endOthers = () => setEnding('others')
  useActions([
    hasOthers && { id: 'end-others', label: strings.endOthers, group: keyboard.screen, run: endOthers },
  ])
  return (
    <Page
      title={strings.title}
      description={strings.description}
      actions={
        hasOthers && (
          <Button variant="default" onClick={endOthers}>
            {strings.endOthers}
          </Button>
        )
      }
    >
      <SettingsNavigation />
      {sessions.isPending && <SkeletonLines lines={6} />}
      {sessions.isError && !sessions.data && (
        <ErrorState error={sessions.error} retry={() => sessions.refetch()} />
      )}
      {sessions.data && all.length === 0 && (
        <EmptyState icon={<IconDevices aria-hidden />} title={strings.empty}>
          {strings.emptyHelp}
        </EmptyState>
      )}
      {all.length > 0 && <SessionsTable sessions={all} end={setEnding} />}
      {ending && <EndDialog what={ending} close={() => setEnding(null)} />}
    </Page>
  )
}

function EndDialog({ what, close }: { what: Session | 'others'; close: () => void }) {
  const queryClient = useQueryClient()
  const act = async () => {
    if (what === 'others') await service.endSessions()
    else await service.endSession({ params: { id: what.id } })
    await queryClient.invalidateQueries({ queryKey: queries.sessions().queryKey })
    notifications.show({ message: what === 'others' ? strings.endedOthers : strings.ended, color: 'teal' })
  }
  return (
    <ConfirmDialog
      title={what === 'others' ? strings.endOthersTitle : strings.endTitle}
      confirm={what === 'others' ? strings.endOthers : strings.endConfirm}
      isDangerous
      act={act}
      close={close}
    >
      {what === 'others' ? strings.endOthersHelp : strings.endHelp(browserOf(what))}
    </ConfirmDialog>
  )
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/calendar.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { Age } from '#web/ui/age.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyField } from '#web/ui/copy-field.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { Setting, SettingGroup } from './setting.tsx'

/** The secret address at which calendar programs read the user's tasks. */
export function CalendarSection() {
  const queryClient = useQueryClient()
  const calendar = useQuery(queries.calendar())
  /** A new address. It is not kept anywhere else. */
  const [url, setUrl] = useState<string | null>(null)
  const [asking, setAsking] = useState<'replace' | 'revoke' | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: queries.calendar().queryKey })
  const issue = async () => {
    setUrl((await service.createCalendar({})).data.url)
    await refresh()
  }
  const create = useMutation({ mutationFn: issue })
  const revoke = async () => {
    await service.deleteCalendar({})
    setUrl(null)
    await refresh()
    notifications.show({ message: strings.revoked, color: 'teal' })
  }
  const hasAddress = calendar.data?.created_at != null
  return (
    <SettingGroup title={strings.title}>
      {calendar.isPending && <SkeletonLines lines={2} />}
      {calendar.isError && <ErrorState error={calendar.error} retry={() => calendar.refetch()} />}
      {calendar.data && (
        <Setting
          label={strings.address}
          description={
            <>
              {strings.help}
              {hasAddress && <Use {...calendar.data} />}
            </>
          }
        >
          {() =>
            hasAddress ? (
              <Group gap="xs">
                <Button variant="default" onClick={() => setAsking('replace')}>
                  {strings.replace}
                </Button>
                <Button variant="default" onClick={() => setAsking('revoke')}>
                  {strings.revoke}
                </Button>
              </Group>
            ) : (
              <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
                {strings.create}
              </Button>
            )
          }
        </Setting>
      )}
      {url && <NewAddress url={url} />}
      {asking === 'replace' && (
        <ConfirmDialog
          title={strings.replaceTitle}
          confirm={strings.replaceConfirm}
          act={issue}
          close={() => setAsking(null)}
        >
          {strings.replaceHelp}
        </ConfirmDialog>
      )}
      {asking === 'revoke' && (
        <ConfirmDialog
          title={strings.revokeTitle}
          confirm={strings.revokeConfirm}
          isDangerous
          act={revoke}
          close={() => setAsking(null)}
        >
          {strings.revokeHelp}
        </ConfirmDialog>
      )}
    </SettingGroup>
  )
}

function Use({ created_at, last_read_at }: { created_at: string | null; last_read_at: string | null }) {
  return (
    <div>
      {created_at && (
        <>
          {strings.created} <Age timestamp={created_at} span inherit />.{' '}
        </>
      )}
      {last_read_at ? (
        <>
          {strings.lastRead} <Age timestamp={last_read_at} span inherit />.
        </>
      ) : (
        strings.neverRead
      )}
    </div>
  )
}

/** The address, which is shown only here. */
function NewAddress({ url }: { url: string }) {
  return (
    <Stack gap="xs">
      <Alert color="yellow" icon={<IconKey aria-hidden />} role="status">
        {strings.shownOnce}
      </Alert>
      <CopyField label={strings.address} value={url} />
      <Text size="sm" c="dimmed">
        {strings.howTo}
      </Text>
    </Stack>
  )
}

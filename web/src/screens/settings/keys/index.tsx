import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/keys.ts'
import { queries } from '#web/api/queries.ts'
import { type ApiKey, service } from '#web/api/service.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { SettingsNavigation } from '../components/settings-navigation.tsx'
import { KeysTable } from './keys-table.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

/** The API keys of the signed-in user. */
export function KeysScreen() {
  const keys = useQuery(queries.keys())
  const [isCreating, createDialog] = useDisclosure(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const all = keys.data?.data ?? []
  useActions([{ id: 'new-key', label: strings.create, group: keyboard.screen, run: createDialog.open }])
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={createDialog.open}>
      {strings.create}
    </Button>
  )
  return (
    <Page title={strings.title} description={strings.description} actions={create}>
      <SettingsNavigation />
      {keys.isPending && <SkeletonLines lines={6} />}
      {keys.isError && !keys.data && <ErrorState error={keys.error} retry={() => keys.refetch()} />}
      {keys.data && all.length === 0 && (
        <EmptyState icon={<IconKey aria-hidden />} title={strings.empty}>
          {strings.emptyHelp}
        </EmptyState>
      )}
      {all.length > 0 && <KeysTable keys={all} revoke={setRevoking} />}
      {isCreating && <NewKeyDialog close={createDialog.close} />}
      {revoking && <RevokeDialog apiKey={revoking} close={() => setRevoking(null)} />}
    </Page>
  )
}

function RevokeDialog({ apiKey, close }: { apiKey: ApiKey; close: () => void }) {
  const queryClient = useQueryClient()
  const act = async () => {
    await service.revokeKey({ params: { id: apiKey.id } })
    await queryClient.invalidateQueries({ queryKey: queries.keys().queryKey })
    notifications.show({ message: strings.revoked, color: 'teal' })
  }
  return (
    <ConfirmDialog
      title={strings.revokeTitle}
      confirm={strings.revokeConfirm}
      isDangerous
      act={act}
      close={close}
    >
      {strings.revokeHelp(apiKey.name, apiKey.prefix)}
    </ConfirmDialog>
  )
}

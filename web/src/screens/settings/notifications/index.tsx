import { Stack } from '@mantine/core'
import { strings } from '#strings/inbox.ts'
import { Page } from '#web/ui/page.tsx'
import { SettingsNavigation } from '../components/settings-navigation.tsx'
import { MailSettings } from './mail-settings.tsx'
import { OutsideSettings } from './outside-settings.tsx'

/** How the user is notified outside of the Inbox. */
export function NotificationsScreen() {
  return (
    <Page title={strings.notifications} description={strings.notificationsHelp}>
      <SettingsNavigation />
      <Stack gap="md" maw={800}>
        <OutsideSettings />
        <MailSettings />
      </Stack>
    </Page>
  )
}

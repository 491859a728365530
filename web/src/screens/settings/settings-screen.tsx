import { Stack } from '@mantine/core'
import { strings } from '#strings/general.ts'
import { Page } from '#web/ui/page.tsx'
import { AccountFacts } from './account-facts.tsx'
import { DisplaySettings } from './display-settings.tsx'
import { NotificationSettings } from './notification-settings.tsx'
import { ServiceFacts } from './service-facts.tsx'

/** What the reader may choose, who they are here, and what this service is. */
export function SettingsScreen() {
  return (
    <Page title={strings.settings}>
      <Stack gap="md" maw={800}>
        <DisplaySettings />
        <NotificationSettings />
        <AccountFacts />
        <ServiceFacts />
      </Stack>
    </Page>
  )
}

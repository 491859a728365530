import { Stack } from '@mantine/core'
import { strings } from '#strings/general.ts'
import { Page } from '#web/ui/page.tsx'
import { AccountSection } from './components/account-section.tsx'
import { CalendarSection } from './components/calendar-section.tsx'
import { DisplaySettings } from './components/display-settings.tsx'
import { ServiceSection } from './components/service-section.tsx'
import { SettingsNavigation } from './components/settings-navigation.tsx'

export function SettingsScreen() {
  return (
    <Page title={strings.settings}>
      <SettingsNavigation />
      <Stack gap="md" maw={800}>
        <DisplaySettings />
        <CalendarSection />
        <AccountSection />
        <ServiceSection />
      </Stack>
    </Page>
  )
}

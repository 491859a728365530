import { Group } from '@mantine/core'
import { IconBuildingFactory2, IconFileImport } from '@tabler/icons-react'
import { strings } from '#strings/home.ts'
import { useCan } from '#web/api/use-can.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'

/** What to do in a workspace without companies. */
export function FirstSteps() {
  const mayImport = useCan('import')
  const mayWrite = useCan('write')
  const mayManageUsers = useCan('manage_users')
  return (
    <EmptyState
      icon={<IconBuildingFactory2 />}
      title={strings.firstTitle}
      action={
        <Group mt="sm" justify="center">
          {mayImport && (
            <ScreenButton to="/companies/import" leftSection={<IconFileImport size={18} aria-hidden />}>
              {strings.importCompanies}
            </ScreenButton>
          )}
          {mayWrite && (
            <ScreenButton to="/theses" variant="default">
              {strings.newThesis}
            </ScreenButton>
          )}
          {mayManageUsers && (
            <ScreenButton to="/admin/users" variant="default">
              {strings.colleagues}
            </ScreenButton>
          )}
        </Group>
      }
    >
      {mayImport && strings.firstHelp}
    </EmptyState>
  )
}

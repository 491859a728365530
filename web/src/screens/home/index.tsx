import { Box, Group, SimpleGrid, Stack } from '@mantine/core'
import { IconBuildingFactory2, IconFileImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ActivityPanel } from './components/activity-panel.tsx'
import { CompanyPanels, ScorePanel } from './components/company-panels.tsx'
import { DuePanel, VotePanel } from './components/decision-panels.tsx'
import classes from './components/home-screen.module.css'
import { InProgressPanel } from './components/in-progress-panel.tsx'
import { KeyFigures } from './components/key-figures.tsx'
import { StageFunnel } from './components/stage-funnel.tsx'
import { WeeklyPanels } from './components/weekly-panels.tsx'

/** The dashboard. */
export function HomeScreen() {
  const stats = useQuery(queries.stats())
  return <Page title={general.home}>{stats.data?.companies_total === 0 ? <FirstSteps /> : <Overview />}</Page>
}

function Overview() {
  return (
    <Stack gap="md" maw={1920}>
      <KeyFigures />
      <InProgressPanel />
      <Box className={classes.decisions}>
        <VotePanel />
        <DuePanel />
      </Box>
      <Box className={classes.body}>
        <Stack gap="md">
          <WeeklyPanels />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <StageFunnel />
            <ScorePanel />
          </SimpleGrid>
          <CompanyPanels />
        </Stack>
        <ActivityPanel />
      </Box>
    </Stack>
  )
}

function FirstSteps() {
  const mayImport = useCan('import')
  const mayWrite = useCan('write')
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
        </Group>
      }
    >
      {mayImport && strings.firstHelp}
    </EmptyState>
  )
}

import { Box, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { IconBuildingFactory2, IconFileImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/home.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { NearScreen } from '#web/browser/near-screen.tsx'
import { lazyPart } from '#web/ui/lazy/lazy-part.tsx'
import { ScreenButton } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, SkeletonLines } from '#web/ui/states.tsx'
import classes from './components/home-screen.module.css'
import { InProgressPanel } from './components/in-progress-panel.tsx'
import { KeyFigures } from './components/key-figures.tsx'
import { Panel } from './components/panel.tsx'
import { StageFunnel } from './components/stage-funnel.tsx'

const CompanyPanels = lazyPart(async () => ({
  default: (await import('./components/company-panels.tsx')).CompanyPanels,
}))
const ScorePanel = lazyPart(async () => ({
  default: (await import('./components/company-panels.tsx')).ScorePanel,
}))
const WeeklyPanels = lazyPart(() => import('./components/weekly-panels.tsx'))
const ActivityPanel = lazyPart(async () => ({
  default: (await import('./components/activity-panel.tsx')).ActivityPanel,
}))

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
      <Box className={classes.body}>
        <Stack gap="md">
          <Suspense fallback={<Skeleton height={210} />}>
            <WeeklyPanels />
          </Suspense>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <StageFunnel />
            <Later titles={[strings.scores]} skeleton={<Skeleton height={208} />}>
              <ScorePanel />
            </Later>
          </SimpleGrid>
          <Later titles={[strings.byCountry, strings.byIndustry]} skeleton={<Skeleton height={96} />}>
            <CompanyPanels />
          </Later>
        </Stack>
        <Later titles={[strings.recentActivity]} skeleton={<SkeletonLines lines={10} height={26} />}>
          <ActivityPanel />
        </Later>
      </Box>
    </Stack>
  )
}

interface LaterProps {
  /** Headings are there from the start, for those who navigate by them. */
  titles: string[]
  /** A placeholder of about the size of each panel's content. */
  skeleton: ReactNode
  children: ReactNode
}

/** Panels that are rendered once they are about to be scrolled into view. */
function Later({ titles, skeleton, children }: LaterProps) {
  const fallback = (
    <SimpleGrid cols={{ base: 1, sm: titles.length }}>
      {titles.map((title) => (
        <Panel key={title} title={title}>
          {skeleton}
        </Panel>
      ))}
    </SimpleGrid>
  )
  return (
    <NearScreen fallback={fallback}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </NearScreen>
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

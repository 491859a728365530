import { Skeleton, Stack } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { queries } from '#web/api/queries.ts'
import { Page } from '#web/ui/page.tsx'
import { viewQueries } from '#web/views/view-queries.ts'
import { ChangesPanel } from './components/changes-panel.tsx'
import { DealsPanel } from './components/deals-panel.tsx'
import { DuePanel, dueCompanies, openVotes, VotePanel } from './components/decision-panels.tsx'
import { FirstSteps } from './components/first-steps.tsx'
import classes from './components/home-screen.module.css'
import { InProgressPanel } from './components/in-progress-panel.tsx'
import { MatchesPanel } from './components/matches-panel.tsx'
import { PipelinePanel } from './components/pipeline-panel.tsx'
import { TasksPanel } from './components/tasks-panel.tsx'
import { ViewsPanel } from './components/views-panel.tsx'
import { homeQueries } from './home-queries.ts'
import { useLastVisit } from './hooks/use-last-visit.ts'

/** What there is to do, and what has changed. */
export function HomeScreen() {
  const stats = useQuery(queries.stats())
  return <Page title={general.home}>{stats.data?.companies_total === 0 ? <FirstSteps /> : <Overview />}</Page>
}

/** The panels appear together, so that none of them pushes another one down. */
function Overview() {
  const since = useLastVisit()
  const isLoaded = useQueries({
    queries: [
      queries.stats(),
      homeQueries.tasks(),
      homeQueries.deals(),
      queries.dealStages(),
      homeQueries.pipeline(),
      { ...homeQueries.changes(since ?? null), enabled: since !== undefined },
      openVotes(),
      dueCompanies(),
      viewQueries.views('company'),
    ],
    combine: (results) => results.every(({ isPending }) => !isPending),
  })
  // Only once: a panel whose query has failed tries again when it appears.
  const [isShown, setIsShown] = useState(false)
  if (isLoaded && !isShown) setIsShown(true)
  if (!isShown || since === undefined) return <LoadingPanels />
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <TasksPanel />
        <DealsPanel />
        <ChangesPanel since={since} />
      </Stack>
      <Stack gap="md">
        <VotePanel />
        <DuePanel />
        <PipelinePanel />
        {/* Their parts arrive later, so they come last. */}
        <ViewsPanel />
        <MatchesPanel />
        <InProgressPanel />
      </Stack>
    </div>
  )
}

function LoadingPanels() {
  return (
    <div className={classes.columns} aria-busy="true" aria-label={general.loading} role="status">
      <Stack gap="md">
        <Skeleton height={180} />
        <Skeleton height={240} />
      </Stack>
      <Stack gap="md">
        <Skeleton height={140} />
        <Skeleton height={120} />
      </Stack>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/stages.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { SettingsNavigation } from '../components/settings-navigation.tsx'
import { StagesForm } from './stages-form.tsx'

/** The stages of deals. */
export function StagesScreen() {
  const config = useQuery(fieldQueries.stageConfig())
  return (
    <Page title={strings.title} description={strings.description}>
      <SettingsNavigation />
      {config.isPending && <SkeletonLines lines={8} height={32} />}
      {config.isError && !config.data && <ErrorState error={config.error} retry={() => config.refetch()} />}
      {config.data && <StagesForm config={config.data} />}
    </Page>
  )
}

import { Box, Group, Stack, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { strings } from '#strings/company.ts'
import { ActivityTimeline } from '#web/activity/activity-timeline.tsx'
import type { Activity, CompanyDetail } from '#web/api/service.ts'
import { usePrinting } from '#web/browser/printing.ts'
import { formatAge, formatMoment } from '#web/format/format.ts'
import { lastCompaniesSearch } from '#web/screens/companies/companies-search.ts'
import { Triage } from '#web/screens/companies/components/triage/triage.tsx'
import { CompanyLogo } from '#web/ui/company-logo.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from '#web/ui/record-page.module.css'
import { Section } from '#web/ui/section.tsx'
import { useTab } from '#web/ui/use-tab.ts'
import type { CompanyRecord } from '../company-fields.ts'
import { FIELDS } from '../company-fields.ts'
import { type ActionType, CompanyActions } from './actions/company-actions.tsx'
import { CompanyDeals } from './company-deals.tsx'
import { CompanyTabs, TABS } from './company-tabs.tsx'
import { EditableCompanyField } from './editable-company-field.tsx'
import { CompanyScore } from './score/company-score.tsx'
import { ScoreSummary } from './score/score-summary.tsx'

const StartBulkAction = lazy(() => import('#web/bulk-actions/start/start-bulk-action.tsx'))
const NewDeal = lazy(() => import('#web/screens/pipeline/components/deal/new-deal-dialog.tsx'))

/** The company in two columns: tabs on the left; deal, score, and activity on the right. */
export function CompanyPage({ detail, onDeleted }: { detail: CompanyDetail; onDeleted: () => void }) {
  const { company, dealflow, deals } = detail
  const [tab, show] = useTab(TABS)
  const [bulkAction, startBulkAction] = useState<ActionType | null>(null)
  const [isCreatingDeal, setIsCreatingDeal] = useState(false)
  const isPrinting = usePrinting()
  const hasReasons = company.llm_score_details !== null
  const createDeal = () => setIsCreatingDeal(true)
  return (
    <>
      <Triage readTargets={() => ({ ids: [company.id], company })} onDeleted={onDeleted} />
      <Group mb="xs" className="print-hidden">
        <ScreenLink to="/companies" search={lastCompaniesSearch()} size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.toCompanies}
          </Group>
        </ScreenLink>
      </Group>
      <Page
        title={company.name}
        heading={<CompanyName company={company} />}
        description={<CompanySummary company={company} />}
        actions={<CompanyActions {...{ detail, startBulkAction, createDeal, onDeleted }} />}
      >
        <div className={`${classes.columns} print-single-column`}>
          <CompanyTabs detail={detail} tab={tab} show={show} startBulkAction={startBulkAction} />
          <Stack gap="md">
            <CompanyDeals deals={deals} latest={dealflow} create={createDeal} />
            {tab !== 'score' && (
              <div {...(hasReasons && { className: 'print-hidden' })}>
                <ScoreSummary
                  company={company}
                  startScoring={() => startBulkAction('llm_score')}
                  showReasons={() => show('score')}
                />
              </div>
            )}
            {isPrinting && (hasReasons || tab === 'score') && (
              <CompanyScore company={company} startScoring={() => {}} />
            )}
            <div className="print-hidden">
              <CompanyActivity id={company.id} records={detail.recent_activity} />
            </div>
          </Stack>
        </div>
      </Page>
      {bulkAction && (
        <LazyDialog close={() => startBulkAction(null)}>
          <StartBulkAction
            companies={{ ids: [company.id] }}
            initialType={bulkAction}
            close={() => startBulkAction(null)}
          />
        </LazyDialog>
      )}
      {isCreatingDeal && (
        <LazyDialog close={() => setIsCreatingDeal(false)}>
          <NewDeal company={company} close={() => setIsCreatingDeal(false)} />
        </LazyDialog>
      )}
    </>
  )
}

/** The latest activity of the company and its deals. */
function CompanyActivity({ id, records }: { id: string; records: Activity[] }) {
  return (
    <Section
      title={strings.activity}
      actions={
        <ScreenLink to="/activity" search={{ entity_id: id }} size="sm">
          {strings.allActivity}
        </ScreenLink>
      }
    >
      {records.length === 0 ? (
        <Text size="sm" c="dimmed">
          {strings.noActivity}
        </Text>
      ) : (
        <ActivityTimeline records={records} order={3} />
      )}
    </Section>
  )
}

/** The name as the heading, with the logo if there is one. */
function CompanyName({ company }: { company: CompanyRecord }) {
  const { name, logo_url } = company
  // The same elements with and without a logo: it may come or go while the name is edited.
  return (
    <Group gap="xs" wrap="nowrap">
      {logo_url && <CompanyLogo name={name} url={logo_url} size={28} />}
      <Box flex={1} miw={0}>
        <EditableCompanyField
          company={company}
          field={FIELDS.name}
          hideLabel
          display={
            <Text span inherit lineClamp={3} title={name}>
              {name}
            </Text>
          }
        />
      </Box>
    </Group>
  )
}

/** The time of the last change. All other facts are below. */
function CompanySummary({ company }: { company: CompanyRecord }) {
  return (
    <Text size="sm" c="dimmed" title={formatMoment(company.updated_at)}>
      {strings.updated(formatAge(company.updated_at))}
    </Text>
  )
}

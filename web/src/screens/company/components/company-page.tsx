import { Group, Stack } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { strings } from '#strings/company.ts'
import { strings as history } from '#strings/history.ts'
import { History } from '#web/activity/history.tsx'
import type { CompanyDetail } from '#web/api/service.ts'
import { BroughtDeals } from '#web/deals/brought-deals.tsx'
import { RecordFiles } from '#web/files/record-files.tsx'
import { CompanyRelationships } from '#web/relationships/relationships.tsx'
import { lastCompaniesSearch } from '#web/screens/companies/companies-search.ts'
import { Triage } from '#web/screens/companies/components/triage/triage.tsx'
import { NextStepLine } from '#web/tasks/next-step-line.tsx'
import { RecordTasks } from '#web/tasks/record-tasks.tsx'
import { useComposer } from '#web/timeline/composer.tsx'
import { PrintedTimeline, Timeline } from '#web/timeline/timeline.tsx'
import { CompanyLogo } from '#web/ui/company-logo.tsx'
import { LazyDialog, LazyPart } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { ABOUT, RecordLayout } from '#web/ui/record-layout.tsx'
import { SkeletonLines } from '#web/ui/states.tsx'
import { useTab } from '#web/ui/use-tab.ts'
import { type ActionType, CompanyActions } from './actions/company-actions.tsx'
import { CompanyDeals } from './company-deals.tsx'
import { CompanyName, CompanySummary } from './company-header.tsx'
import { CompanyPeople } from './company-people.tsx'
import { CompanyProperties } from './company-properties.tsx'
import { Executives } from './executives.tsx'
import { Financials } from './financials/financials.tsx'
import { CompanyProfile } from './profile/company-profile.tsx'
import { CompanyScore } from './score/company-score.tsx'
import { ScoreSummary } from './score/score-summary.tsx'
import { SimilarCompanies } from './similar-companies.tsx'

const StartBulkAction = lazy(() => import('#web/bulk-actions/start/start-bulk-action.tsx'))
const NewDeal = lazy(() => import('#web/screens/pipeline/components/deal/new-deal-dialog.tsx'))
// Its parser of CSV files is large.
const ImportedRow = lazy(() => import('./imported-row.tsx'))

const TABS = ['timeline', ABOUT, 'details', 'score', 'profile', 'source', 'similar', 'history'] as const

/** The company: its timeline and further tabs, and beside them its properties, people, deals, and score. */
export function CompanyPage({ detail, onDeleted }: { detail: CompanyDetail; onDeleted: () => void }) {
  const { company, dealflow, deals } = detail
  const { id, name } = company
  const [tab, show] = useTab(TABS)
  const [bulkAction, startBulkAction] = useState<ActionType | null>(null)
  const [isCreatingDeal, setIsCreatingDeal] = useState(false)
  const createDeal = () => setIsCreatingDeal(true)
  const startScoring = () => startBulkAction('llm_score')
  const about = { type: 'company', id, name } as const
  const composer = useComposer({ about, decision: { companyId: id, companyName: name } })
  const details = (
    <Stack gap="md">
      <Executives company={company} />
      <Financials company={company} />
    </Stack>
  )
  const score = <CompanyScore company={company} startScoring={startScoring} />
  return (
    <>
      {composer.dialog}
      <Triage readTargets={() => ({ ids: [id], company })} onDeleted={onDeleted} />
      <Group mb="xs" className="print-hidden">
        <ScreenLink to="/companies" search={lastCompaniesSearch()} size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.toCompanies}
          </Group>
        </ScreenLink>
      </Group>
      <Page
        title={name}
        mark={<CompanyLogo name={name} url={company.logo_url} size={44} />}
        heading={<CompanyName company={company} />}
        description={
          <>
            <CompanySummary company={company} />
            <NextStepLine step={company.next_step} add={composer.addTask} />
          </>
        }
        actions={<CompanyActions {...{ detail, startBulkAction, createDeal, onDeleted }} />}
      >
        <RecordLayout
          label={strings.sections}
          tab={tab}
          show={show}
          tabs={[
            {
              value: 'timeline',
              label: strings.timeline,
              content: <Timeline of="company" composer={composer} />,
            },
            { value: 'details', label: strings.details, content: details },
            { value: 'score', label: strings.scoreTab, content: score },
            {
              value: 'profile',
              label: strings.profile,
              content: <CompanyProfile company={company} enrich={() => startBulkAction('enrich_profile')} />,
            },
            {
              value: 'source',
              label: strings.importedRow,
              content: (
                <LazyPart fallback={<SkeletonLines lines={10} />}>
                  <ImportedRow id={id} />
                </LazyPart>
              ),
            },
            {
              value: 'similar',
              label: strings.similar,
              content: <SimilarCompanies id={id} embed={() => startBulkAction('generate_embeddings')} />,
            },
            { value: 'history', label: history.title, content: <History of="company" id={id} /> },
          ]}
          rail={
            <>
              <CompanyProperties company={company} />
              <RecordTasks id={id} add={composer.addTask} />
              <RecordFiles about={about} add={composer.addFiles} />
              <CompanyPeople company={company} />
              <CompanyRelationships id={id} />
              <CompanyDeals deals={deals} latest={dealflow} create={createDeal} composer={composer} />
              <BroughtDeals id={id} />
              {tab !== 'score' && (
                <div {...(company.llm_score_details !== null && { className: 'print-hidden' })}>
                  <ScoreSummary
                    company={company}
                    startScoring={startScoring}
                    showReasons={() => show('score')}
                  />
                </div>
              )}
            </>
          }
          printed={
            <>
              {(company.llm_score_details !== null || tab === 'score') && score}
              {details}
            </>
          }
        >
          <PrintedTimeline of="company" composer={composer} />
        </RecordLayout>
      </Page>
      {bulkAction && (
        <LazyDialog close={() => startBulkAction(null)}>
          <StartBulkAction
            companies={{ ids: [id] }}
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

import { Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { strings } from '#strings/company.ts'
import { strings as history } from '#strings/history.ts'
import { History } from '#web/activity/history.tsx'
import { fieldQueries } from '#web/api/field-queries.ts'
import type { CompanyDetail } from '#web/api/service.ts'
import { usePrinting } from '#web/browser/printing.ts'
import { LazyPart } from '#web/ui/lazy.tsx'
import classes from '#web/ui/record-page.module.css'
import { SkeletonLines } from '#web/ui/states.tsx'
import type { CompanyRecord } from '../company-fields.ts'
import type { ActionType } from './actions/company-actions.tsx'
import { CompanyDetails, useThesesAndUsers } from './company-details.tsx'
import { CompanyPeople } from './company-people.tsx'
import { Executives } from './executives.tsx'
import { Financials } from './financials/financials.tsx'
import { CompanyProfile } from './profile/company-profile.tsx'
import { CompanyScore } from './score/company-score.tsx'
import { SimilarCompanies } from './similar-companies.tsx'

// Its parser of CSV files is large.
const SourceFile = lazy(() => import('./source-file.tsx'))

export const TABS = ['overview', 'score', 'profile', 'source', 'similar', 'history'] as const
export type CompanyTab = (typeof TABS)[number]

const LABELS: Record<CompanyTab, string> = {
  overview: strings.overview,
  score: strings.scoreTab,
  profile: strings.profile,
  source: strings.source,
  similar: strings.similar,
  history: history.title,
}

interface CompanyTabsProps {
  detail: CompanyDetail
  tab: CompanyTab
  show: (tab: CompanyTab) => void
  startBulkAction: (type: ActionType) => void
}

/** The tabs of the company. Only the open one is mounted and loads its data. On paper, all of them are the overview. */
export function CompanyTabs(props: CompanyTabsProps) {
  return (
    <>
      <OpenTab {...props} />
      {props.tab !== 'overview' && <PrintedOverview company={props.detail.company} />}
    </>
  )
}

function OpenTab({ detail: { company }, tab, show, startBulkAction }: CompanyTabsProps) {
  return (
    <Tabs
      {...(tab !== 'overview' && { className: 'print-hidden' })}
      value={tab}
      onChange={(value) => show(TABS.find((one) => one === value) ?? 'overview')}
      keepMounted={false}
    >
      <Tabs.List aria-label={strings.sections} mb="md" className={classes.tabs}>
        {TABS.map((value) => (
          <Tabs.Tab key={value} value={value}>
            {LABELS[value]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <Overview company={company} />
      </Tabs.Panel>
      <Tabs.Panel value="score">
        <CompanyScore company={company} startScoring={() => startBulkAction('llm_score')} />
      </Tabs.Panel>
      <Tabs.Panel value="profile">
        <CompanyProfile company={company} enrich={() => startBulkAction('enrich_profile')} />
      </Tabs.Panel>
      <Tabs.Panel value="source">
        <LazyPart fallback={<SkeletonLines lines={10} />}>
          <SourceFile id={company.id} />
        </LazyPart>
      </Tabs.Panel>
      <Tabs.Panel value="similar">
        <SimilarCompanies id={company.id} embed={() => startBulkAction('generate_embeddings')} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <History of="company" id={company.id} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Overview({ company }: { company: CompanyRecord }) {
  return (
    <Stack gap="md">
      <CompanyDetails company={company} />
      <CompanyPeople company={company} />
      <Executives company={company} />
      <Financials company={company} />
    </Stack>
  )
}

/** Loads the names in the facts in advance: nothing can be loaded once the browser prints. */
function PrintedOverview({ company }: { company: CompanyRecord }) {
  const isPrinting = usePrinting()
  useThesesAndUsers(company)
  useQuery(fieldQueries.customFields('company'))
  return isPrinting && <Overview company={company} />
}

import { Group, Stack, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { strings } from '#strings/company.ts'
import { lastCompaniesSearch } from '#web/screens/companies/companies-search.ts'
import type { CompanyDetail } from '#web/service/service.ts'
import { LazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './company.module.css'
import { type ActionType, CompanyActions } from './company-actions.tsx'
import { CompanyActivity } from './company-activity.tsx'
import { CompanyDeal } from './company-deal.tsx'
import { FIELDS } from './company-fields.ts'
import { CompanySummary } from './company-summary.tsx'
import { type CompanyTab, CompanyTabs, TABS } from './company-tabs.tsx'
import { EditableCompanyField } from './editable-company-field.tsx'
import { ScoreSummary } from './score-summary.tsx'

const StartBulkAction = lazy(() => import('#web/screens/bulk-actions/start-bulk-action.tsx'))
const NewDeal = lazy(() => import('#web/screens/pipeline/new-deal-dialog.tsx'))

/** The company in two columns: tabs on the left; deal, score, and activity on the right. */
export function CompanyPage({ detail }: { detail: CompanyDetail }) {
  const { company, dealflow } = detail
  const [tab, show] = useTab()
  const [bulkAction, startBulkAction] = useState<ActionType | null>(null)
  const [isCreatingDeal, setIsCreatingDeal] = useState(false)
  const createDeal = () => setIsCreatingDeal(true)
  return (
    <>
      <Group mb="xs">
        <ScreenLink to="/companies" search={lastCompaniesSearch()} size="sm">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden />
            {strings.toCompanies}
          </Group>
        </ScreenLink>
      </Group>
      <Page
        title={company.name}
        heading={
          <EditableCompanyField
            company={company}
            field={FIELDS.name}
            hideLabel
            display={
              <Text span inherit lineClamp={3} title={company.name}>
                {company.name}
              </Text>
            }
          />
        }
        description={<CompanySummary company={company} />}
        actions={<CompanyActions detail={detail} startBulkAction={startBulkAction} createDeal={createDeal} />}
      >
        <div className={classes.columns}>
          <CompanyTabs detail={detail} tab={tab} show={show} startBulkAction={startBulkAction} />
          <Stack gap="md">
            <CompanyDeal deal={dealflow} create={createDeal} />
            {tab !== 'score' && (
              <ScoreSummary
                company={company}
                startScoring={() => startBulkAction('llm_score')}
                showReasons={() => show('score')}
              />
            )}
            <CompanyActivity id={company.id} records={detail.recent_activity} />
          </Stack>
        </div>
      </Page>
      {bulkAction && (
        <LazyDialog close={() => startBulkAction(null)}>
          <StartBulkAction
            companyIds={[company.id]}
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

/** The open tab is the fragment of the address, so that it can be linked to. */
function useTab(): [CompanyTab, (tab: CompanyTab) => void] {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const tab = TABS.find((one) => one === hash) ?? 'overview'
  const show = (chosen: CompanyTab) =>
    navigate({
      to: '.',
      hash: chosen === 'overview' ? '' : chosen,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  return [tab, show]
}

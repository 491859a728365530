import { Box, Button, Group, NativeSelect } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { DECISION_OUTCOMES } from '#src/client/limits.ts'
import { strings } from '#strings/decisions.ts'
import { decisionQueries } from '#web/api/decision-queries.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import type { Query } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { DecisionItem } from '#web/decisions/decision-item.tsx'
import { CompanySelect } from '#web/fields/company-select.tsx'
import { useActions } from '#web/keyboard/actions.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import classes from './decisions.module.css'
import { type DecisionsSearch, STATES } from './decisions-search.ts'

const DecisionDialog = lazy(() => import('#web/decisions/decision-dialog.tsx'))
const route = getRouteApi('/shell/decisions')
const PAGE_SIZE = 20
const STATE_OPTIONS = [
  { value: '', label: strings.states.all },
  ...STATES.map((state) => ({ value: state as string, label: strings.states[state] })),
]
const OUTCOME_OPTIONS = [
  { value: '', label: strings.anyOutcome },
  ...DECISION_OUTCOMES.map((outcome) => ({ value: outcome as string, label: strings.outcomes[outcome] })),
]

const notVotedBy = (email: string): string =>
  JSON.stringify({ not: { field: 'voted', op: 'in', value: [email] } })

const queryOf = (
  { state, outcome, reason, company }: DecisionsSearch,
  me: string | undefined,
): Query<'listDecisions'> => ({
  ...(state && { open: state !== 'taken' }),
  ...(state === 'mine' && { asked: ['me'], ...(me && { filter: notVotedBy(me) }) }),
  ...(outcome && { outcome: [outcome] }),
  ...(reason && { reason: [reason] }),
  ...(company && { company_id: [company] }),
})

/** All decisions, open ones first, with filters. */
export function DecisionsScreen() {
  const { page = 1, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: me } = useQuery(queries.me())
  const mayWrite = useCan('write')
  const [isRecording, setIsRecording] = useState(false)
  const decisions = useQuery(
    decisionQueries.decisions({ ...onePage(page, PAGE_SIZE), ...queryOf(filters, me?.email) }),
  )
  const record = () => setIsRecording(true)
  useActions([
    mayWrite && {
      ...{ id: 'new-decision', label: strings.record, group: strings.group },
      ...{ keys: ['e'], run: record },
    },
  ])
  const listed = decisions.data?.data ?? []
  const total = decisions.data?.pagination.total
  const isFiltered = Object.keys(filters).length > 0
  const set = (name: keyof typeof filters, value: string | undefined) => {
    const { [name]: _previous, ...others } = filters
    navigate({ search: value ? ({ ...others, [name]: value } as DecisionsSearch) : others, replace: true })
  }
  return (
    <Page
      title={strings.title}
      actions={mayWrite && <Button onClick={record}>{strings.record}</Button>}
      description={<span role="status">{total === undefined ? '\u00a0' : strings.count(total)}</span>}
    >
      <Filters filters={filters} set={set} clear={() => navigate({ search: {}, replace: true })} />
      {decisions.isPending && <SkeletonLines lines={8} height={26} />}
      {decisions.isError && !decisions.data && (
        <ErrorState error={decisions.error} retry={() => decisions.refetch()} />
      )}
      {total === 0 && (
        <EmptyState icon={<IconGavel aria-hidden />} title={isFiltered ? strings.noMatch : strings.none}>
          {isFiltered ? strings.noMatchHelp : strings.noneHelp}
        </EmptyState>
      )}
      {listed.length > 0 && (
        <Box
          component="ul"
          className={classes.list}
          aria-busy={decisions.isPlaceholderData}
          style={{ opacity: decisions.isPlaceholderData ? 0.6 : 1 }}
        >
          {listed.map((decision) => (
            <li key={decision.id}>
              <DecisionItem decision={decision} showsCompany />
            </li>
          ))}
        </Box>
      )}
      <Pages
        query={decisions}
        pages={pageCount(decisions.data, PAGE_SIZE)}
        page={page}
        goTo={(chosen, replace = false) =>
          navigate({ search: { ...filters, ...(chosen > 1 && { page: chosen }) }, replace })
        }
      />
      {isRecording && (
        <LazyDialog close={() => setIsRecording(false)}>
          <DecisionDialog close={() => setIsRecording(false)} />
        </LazyDialog>
      )}
    </Page>
  )
}

interface FiltersProps {
  filters: Omit<DecisionsSearch, 'page'>
  set: (name: keyof Omit<DecisionsSearch, 'page'>, value: string | undefined) => void
  clear: () => void
}

function Filters({ filters, set, clear }: FiltersProps) {
  const { state, outcome, reason, company = '' } = filters
  const reasons = useQuery(decisionQueries.reasonConfig()).data?.reasons ?? []
  const name = useQuery({ ...queries.company(company), enabled: company !== '' }).data?.company.name
  const isKnown = !reason || reasons.some(({ key }) => key === reason)
  return (
    <Group component="search" aria-label={strings.filters} gap="sm">
      <NativeSelect
        aria-label={strings.state}
        value={state ?? ''}
        onChange={(event) => set('state', event.currentTarget.value)}
        data={STATE_OPTIONS}
      />
      <NativeSelect
        aria-label={strings.outcome}
        value={outcome ?? ''}
        onChange={(event) => set('outcome', event.currentTarget.value)}
        data={OUTCOME_OPTIONS}
      />
      <NativeSelect
        aria-label={strings.reasons}
        value={reason ?? ''}
        onChange={(event) => set('reason', event.currentTarget.value)}
        data={[
          { value: '', label: strings.anyReason },
          ...reasons.map(({ key, label }) => ({ value: key, label })),
          ...(isKnown ? [] : [{ value: reason, label: reason }]),
        ]}
      />
      <CompanySelect
        aria-label={strings.company}
        placeholder={strings.anyCompany}
        record={company ? { id: company, name: name ?? company } : null}
        choose={(record) => set('company', record?.id)}
        error={null}
        w={{ base: '100%', xs: 200 }}
      />
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" onClick={clear}>
          {strings.clear}
        </Button>
      )}
    </Group>
  )
}

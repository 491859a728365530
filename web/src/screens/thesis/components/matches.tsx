import { Button, Checkbox, Group, Stack, Text, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAdjustments, IconGauge, IconPlugConnectedX, IconTargetOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { lazy, useRef, useState } from 'react'
import { DependencyUnavailable } from '#src/client/errors.ts'
import { strings } from '#strings/matches.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { service, type ThesisMatch } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { openedFrom } from '#web/lists/list-position.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { useMatchActions, useMatches } from '../hooks/use-matches.ts'
import { useMatchesAddress } from '../hooks/use-matches-address.ts'
import { useMatchKeys } from '../match-keys.ts'
import type { MatchesSearch } from '../thesis-search.ts'
import { MatchCard } from './match-card.tsx'

const StartBulkAction = lazy(() => import('#web/bulk-actions/start/start-bulk-action.tsx'))
const NewDeal = lazy(() => import('#web/screens/pipeline/components/deal/new-deal-dialog.tsx'))
const CriteriaDialog = lazy(() => import('./criteria-dialog.tsx'))

const PAGE_SIZE = 20
const SCORED = 50

type Shown = 'none' | 'up' | 'down'
const SHOWN: { value: Shown; label: string }[] = [
  { value: 'none', label: strings.toReview },
  { value: 'up', label: strings.approved },
  { value: 'down', label: strings.rejected },
]

type Sort = 'match' | 'score'
const SORTS: { value: Sort; label: string }[] = [
  { value: 'match', label: strings.byMatch },
  { value: 'score', label: strings.byScore },
]

interface MatchesProps {
  thesis: string
  search: MatchesSearch
}

/** The companies that fit a thesis best, to approve, reject, or assign. */
export function Matches({ thesis, search }: MatchesProps) {
  const { deals, page = 1 } = search
  const verdict: Shown = search.verdict ?? 'none'
  const sort: Sort = search.sort ?? 'match'
  const { address, show } = useMatchesAddress(thesis, search)
  const [dealWith, setDealWith] = useState<ThesisMatch | null>(null)
  const isWithoutDeals = deals !== 'any'
  const filters = { verdict, exclude_in_pipeline: isWithoutDeals && verdict === 'none' }
  const query = { ...filters, sort, ...onePage(page, PAGE_SIZE) }
  const matches = useMatches(thesis, query, address)
  const mayWrite = useCan('write')
  const { judge, assign } = useMatchActions(thesis)
  const found = matches.data?.data ?? []
  const total = matches.data?.pagination.total ?? 0
  const ids = found.map(({ id }) => id)
  const list = useRef<HTMLDivElement>(null)
  useMatchKeys({
    ...{ matches: found, address, shown: verdict, list },
    ...{ createDeal: setDealWith, mayWrite, judge, assign },
  })
  return (
    <Stack gap="md" component="section" aria-label={strings.matches} maw="60rem">
      <Group justify="space-between" gap="sm">
        <Group gap="md">
          <SegmentedControl
            aria-label={strings.verdicts}
            data={SHOWN}
            value={verdict}
            onChange={(value) => show({ verdict: value === 'none' ? undefined : (value as 'up' | 'down') })}
          />
          <SegmentedControl
            aria-label={strings.order}
            data={SORTS}
            value={sort}
            onChange={(value) => show({ sort: value === 'score' ? value : undefined })}
          />
          {verdict === 'none' && (
            <Checkbox
              label={strings.excludeInPipeline}
              checked={isWithoutDeals}
              onChange={({ currentTarget }) => show({ deals: currentTarget.checked ? undefined : 'any' })}
            />
          )}
        </Group>
        <MatchTools thesis={thesis} filters={filters} total={total} />
      </Group>
      {matches.data && <ActiveModel {...matches.data} />}
      {matches.isPending && <SkeletonLines lines={8} height={48} />}
      {matches.isError &&
        (matches.error instanceof DependencyUnavailable ? (
          <EmptyState icon={<IconPlugConnectedX aria-hidden />} title={strings.unavailable}>
            {errorMessage(matches.error)}
          </EmptyState>
        ) : (
          <ErrorState error={matches.error} retry={() => matches.refetch()} />
        ))}
      {matches.isSuccess && total === 0 && <NoMatches verdict={verdict} />}
      <Stack ref={list} gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {found.map((match) => (
          <MatchCard
            key={match.id}
            match={match}
            thesis={thesis}
            link={openedFrom(address, ids, match.id)}
            mayWrite={mayWrite}
            judge={judge}
            assign={assign}
            createDeal={setDealWith}
          />
        ))}
      </Stack>
      <Pages
        query={matches}
        pages={pageCount(matches.data, PAGE_SIZE)}
        page={page}
        goTo={(target, replace) => show({ page: target > 1 ? target : undefined }, replace)}
      />
      {dealWith && (
        <LazyDialog close={() => setDealWith(null)}>
          <NewDeal company={dealWith} close={() => setDealWith(null)} />
        </LazyDialog>
      )}
    </Stack>
  )
}

interface ActiveModelProps {
  answering: string
  is_semantic: boolean
  pagination: { total: number }
}

/** Says how many matches there are, and what ranks them. */
function ActiveModel({ answering: active, is_semantic, pagination: { total } }: ActiveModelProps) {
  return (
    <Text size="xs" c="dimmed">
      {strings.count(total)}.{' '}
      {is_semantic ? strings.answeredBy(active.replace(/, text \d+$/, '')) : strings.answeredByWords}{' '}
      {strings.keys}
    </Text>
  )
}

function NoMatches({ verdict }: { verdict: Shown }) {
  const titles = { none: strings.noMatches, up: strings.noApproved, down: strings.noRejected }
  return (
    <EmptyState icon={<IconTargetOff aria-hidden />} title={titles[verdict]}>
      {verdict === 'none' ? strings.noMatchesHelp : strings.noVerdictsHelp}
    </EmptyState>
  )
}

interface MatchToolsProps {
  thesis: string
  filters: { verdict: Shown; exclude_in_pipeline: boolean }
  total: number
}

/** The best matches, without those that would be scored against another thesis. */
async function listScorable(thesis: string, filters: MatchToolsProps['filters']): Promise<string[]> {
  const isLinked = { field: 'thesis_id', op: 'eq', value: thesis }
  const filter = JSON.stringify({ or: [isLinked, { field: 'thesis_id', op: 'is_empty' }] })
  const querystring = { ...filters, filter, limit: SCORED }
  return (await service.listThesisMatches({ params: { id: thesis }, querystring })).data.map(({ id }) => id)
}

/** Edits the criteria, and scores the best matches with the language model. */
function MatchTools({ thesis, filters, total }: MatchToolsProps) {
  const [isEditing, setEditing] = useState(false)
  const [scored, setScored] = useState<string[] | null>(null)
  const choose = useMutation({
    mutationFn: () => listScorable(thesis, filters),
    onSuccess: (ids) =>
      ids.length > 0 ? setScored(ids) : notifications.show({ message: strings.noneToScore }),
  })
  const mayScore = useCan('bulk')
  return (
    <Group gap="xs">
      <Button
        variant="default"
        leftSection={<IconAdjustments size={16} aria-hidden />}
        onClick={() => setEditing(true)}
      >
        {strings.editCriteria}
      </Button>
      {mayScore && total > 0 && (
        <Tooltip label={strings.scoreHelp} multiline w={260}>
          <Button
            variant="default"
            leftSection={<IconGauge size={16} aria-hidden />}
            loading={choose.isPending}
            onClick={() => choose.mutate()}
          >
            {strings.scoreBest}
          </Button>
        </Tooltip>
      )}
      {isEditing && (
        <LazyDialog close={() => setEditing(false)}>
          <CriteriaDialog thesis={thesis} close={() => setEditing(false)} />
        </LazyDialog>
      )}
      {scored && (
        <LazyDialog close={() => setScored(null)}>
          <StartBulkAction companies={{ ids: scored }} initialThesis={thesis} close={() => setScored(null)} />
        </LazyDialog>
      )}
    </Group>
  )
}

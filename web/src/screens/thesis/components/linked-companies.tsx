import { Button, Group, Stack, Text, Title, Tooltip } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { strings } from '#strings/theses.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import { openedFrom } from '#web/lists/list-position.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { fetchLinkedCompanyIds, MAX_COMPANIES } from '../linked-company-ids.ts'

const StartBulkAction = lazy(() => import('#web/bulk-actions/start/start-bulk-action.tsx'))

const LIMIT = 20

/** The companies linked to a thesis, highest score first, with a button that scores them. */
export function LinkedCompanies({ id }: { id: string }) {
  const best = { thesis_id: id, sort: '-llm_score_overall' as const }
  const companies = useQuery(queries.companies({ ...best, limit: LIMIT }))
  const [chosen, setChosen] = useState<string[] | null>(null)
  const score = useMutation({ mutationFn: () => fetchLinkedCompanyIds(id), onSuccess: setChosen })
  const mayScore = useCan('bulk')
  const ids = companies.data?.data.map((company) => company.id) ?? []
  const total = companies.data?.pagination.total ?? 0
  return (
    <Stack gap="xs" component="section" aria-labelledby="linked-companies">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h6" id="linked-companies">
          {strings.linkedCompanies}
        </Title>
        {total > 0 && mayScore && (
          <Tooltip label={strings.scoreHelp} multiline w={240}>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconGauge size={14} aria-hidden />}
              loading={score.isPending}
              onClick={() => score.mutate()}
            >
              {strings.scoreCompanies}
            </Button>
          </Tooltip>
        )}
      </Group>
      {companies.isPending && <SkeletonLines lines={6} />}
      {companies.isError && <ErrorState error={companies.error} retry={() => companies.refetch()} />}
      {companies.data && total === 0 && (
        <Text size="sm" c="dimmed">
          {strings.noCompanies}
        </Text>
      )}
      {mayScore && total > MAX_COMPANIES && (
        <Text size="xs" c="dimmed">
          {strings.scoringLimit(MAX_COMPANIES.toLocaleString())}
        </Text>
      )}
      <Stack gap={6} component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {companies.data?.data.map(({ id: company, name, llm_score_overall: points }) => (
          <Group key={company} component="li" wrap="nowrap" gap="sm" justify="space-between">
            <ScreenLink
              to="/companies/$id"
              params={{ id: company }}
              {...openedFrom(`/theses/${id}`, ids, company)}
              size="sm"
              lineClamp={2}
              className="break-anywhere"
              dir="auto"
            >
              {name}
            </ScreenLink>
            {points === null ? (
              <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
                {strings.notScored}
              </Text>
            ) : (
              <ScoreBadge score={points} />
            )}
          </Group>
        ))}
      </Stack>
      {total > 0 && (
        <ScreenLink to="/companies" search={best} size="sm" fw={600}>
          {strings.allCompanies(total)}
        </ScreenLink>
      )}
      {chosen && (
        <LazyDialog close={() => setChosen(null)}>
          <StartBulkAction
            companies={{ ids: chosen }}
            close={() => setChosen(null)}
            initialType="llm_score"
          />
        </LazyDialog>
      )}
    </Stack>
  )
}

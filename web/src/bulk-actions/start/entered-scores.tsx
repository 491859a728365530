import { Group, Radio, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/bulk-actions.ts'
import { service } from '#web/api/service.ts'
import { bulkActionTarget, type Target } from '../target.ts'

export type Existing = 'keep' | 'replace'

const preview = (target: Target) =>
  queryOptions({
    queryKey: ['bulk-action-preview', target],
    queryFn: async ({ signal }) =>
      (await service.previewBulkAction({ body: companySelection(target) }, { signal })).data,
    staleTime: 0,
  })

/** Leaves out the expected number: starting the action reports a difference. */
function companySelection(target: Target) {
  if ('ids' in target) return bulkActionTarget(target)
  const { expect: _expected, ...matching } = target
  return matching
}

interface EnteredScoresProps {
  target: Target
  value: Existing
  change: (existing: Existing) => void
}

/** Asks what happens to scores that people entered, if the companies have some. */
export function EnteredScores({ target, value, change }: EnteredScoresProps) {
  const { data } = useQuery(preview(target))
  if (!data || data.entered_scores === 0) return null
  const entered = strings.enteredScores(data.entered_scores, data.total_companies)
  if (!data.can_replace)
    return (
      <Text size="sm" role="status">
        {entered} {strings.rulesKeepScores}
      </Text>
    )
  return (
    <Radio.Group label={entered} value={value} onChange={(chosen) => change(chosen as Existing)}>
      <Group gap="lg" mt={6}>
        <Radio value="keep" label={strings.keepScores} />
        <Radio value="replace" label={strings.replaceScores} />
      </Group>
    </Radio.Group>
  )
}

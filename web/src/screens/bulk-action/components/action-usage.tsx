import { Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { strings } from '#strings/bulk-actions.ts'
import type { BulkAction } from '#web/api/service.ts'
import { formatNumber } from '#web/format/format.ts'
import { Stat } from './stat.tsx'

/** The tokens that a bulk action has used, and its budget. */
export function ActionUsage({ action }: { action: BulkAction }) {
  if (action.action_type === 'generate_embeddings') return null
  const { calls, input_tokens, output_tokens } = action.usage
  const used = input_tokens + output_tokens
  const budget = action.token_budget
  // Hidden if no model was used, as with the built-in rules.
  if (calls === 0 && budget === null) return null
  return (
    <Paper withBorder p="lg" component="section" aria-label={strings.usage}>
      <Stack gap="md">
        <Title order={2} size="h5">
          {strings.usage}
        </Title>
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
          <Stat label={strings.calls} value={formatNumber(calls)} />
          <Stat label={strings.inputTokens} value={formatNumber(input_tokens)} />
          <Stat label={strings.outputTokens} value={formatNumber(output_tokens)} />
          <Stat label={strings.budget} value={budget === null ? strings.noBudget : formatNumber(budget)} />
        </SimpleGrid>
        {budget !== null && (
          <Stack gap={6}>
            <Progress
              value={Math.min(100, (100 * used) / budget)}
              color={used >= budget ? 'red' : 'blue'}
              aria-label={strings.budgetUsed(used, budget)}
            />
            <Text size="xs" c="dimmed">
              {strings.budgetUsed(used, budget)}
            </Text>
          </Stack>
        )}
      </Stack>
    </Paper>
  )
}

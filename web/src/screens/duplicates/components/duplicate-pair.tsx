import { Badge, Button, Group, Paper, SimpleGrid, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/duplicates.ts'
import { type Duplicate, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatDay, formatPercent } from '#web/format/format.ts'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { ScreenLink } from '#web/ui/link.tsx'

interface DuplicatePairProps {
  pair: Duplicate
  /** Opens the dialog that merges them. */
  merge: () => void
}

/** Two companies that may be the same, and why. */
export function DuplicatePair({ pair, merge }: DuplicatePairProps) {
  const { id, score, reasons, companies, status } = pair
  const mayDismiss = useCan('write')
  const mayMerge = useCan('delete')
  const queryClient = useQueryClient()
  const decide = useMutation({
    mutationFn: () =>
      status === 'open'
        ? service.dismissDuplicate({ params: { id } })
        : service.reopenDuplicate({ params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['duplicates'] }),
  })
  const names = strings.pair(companies[0]?.name ?? '', companies[1]?.name ?? '')
  const isOpen = status === 'open'
  return (
    <Paper component="li" withBorder p="md" aria-label={names}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="xs">
            <Badge variant="light" radius="sm" tt="none">
              {strings.scoreIs(formatPercent(score))}
            </Badge>
            {reasons.map((reason) => (
              <Badge key={reason} variant="default" radius="sm" tt="none">
                {strings.reasons[reason] ?? reason}
              </Badge>
            ))}
          </Group>
          <Group gap="xs">
            {mayDismiss && (
              <Button
                size="xs"
                variant="default"
                aria-label={(isOpen ? strings.dismissOne : strings.reopenOne)(names)}
                loading={decide.isPending}
                onClick={() => decide.mutate()}
              >
                {isOpen ? strings.dismiss : strings.reopen}
              </Button>
            )}
            {mayMerge && isOpen && (
              <Button size="xs" aria-label={strings.mergeOne(names)} onClick={merge}>
                {strings.merge}
              </Button>
            )}
          </Group>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {companies.map((company) => (
            <Stack key={company.id} gap={4} miw={0}>
              <ScreenLink
                to="/companies/$id"
                params={{ id: company.id }}
                fw={600}
                dir="auto"
                className="break-anywhere"
              >
                {company.name}
              </ScreenLink>
              <DefinitionList
                items={[
                  [strings.website, company.website],
                  [strings.country, company.country],
                  [strings.city, company.hq_city],
                  [strings.industry, company.industry_category],
                  [strings.created, formatDay(company.created_at)],
                ]}
              />
            </Stack>
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  )
}

import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/deals.ts'
import { queries } from '#web/api/queries.ts'
import { formatNumber, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'

const SHOWN = 5

/** The newest deals that a company or a person brought; nothing if there are none. */
export function BroughtDeals({ id }: { id: string }) {
  const { data } = useQuery(queries.deals({ source_id: id, limit: SHOWN }))
  if (!data || data.pagination.total === 0) return null
  const filter = { field: 'source_id', op: 'eq', value: id } as const
  return (
    <Section
      title={strings.broughtDeals(data.pagination.total)}
      actions={
        data.pagination.hasMore && (
          <ScreenLink to="/pipeline" search={{ layout: 'list', filter }} size="sm" className="print-hidden">
            {strings.allDeals(formatNumber(data.pagination.total))}
          </ScreenLink>
        )
      }
    >
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.data.map((deal) => (
          <Group key={deal.id} component="li" gap="xs" wrap="nowrap" justify="space-between">
            <ScreenLink
              to="/deals/$id"
              params={{ id: deal.id }}
              size="sm"
              dir="auto"
              className="break-anywhere"
              lineClamp={2}
            >
              {deal.company_name}
            </ScreenLink>
            <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
              {formatWord(deal.stage)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

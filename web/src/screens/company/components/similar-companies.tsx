import { Alert, Button, Stack, Table, Text } from '@mantine/core'
import { IconPlugConnectedX, IconZoomQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { DependencyUnavailable } from '#src/client/errors.ts'
import { strings } from '#strings/company.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import type { SearchResult } from '#web/api/service.ts'
import { formatLocation } from '#web/format/countries.ts'
import { formatPercent } from '#web/format/format.ts'
import { BidiText } from '#web/ui/bidi-text.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import { Section } from '#web/ui/section.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { ShareBar } from './score/score-bar.tsx'

const LIMIT = 8

export function SimilarCompanies({ id, embed }: { id: string; embed: () => void }) {
  const similar = useQuery(queries.similarCompanies(id, LIMIT))
  return (
    <Section title={strings.similarTitle}>
      {similar.isPending && <SkeletonLines lines={8} height={28} />}
      {similar.isError &&
        (similar.error instanceof DependencyUnavailable ? (
          <Alert
            color="orange"
            styles={{ title: { color: 'var(--mantine-color-text)' } }}
            variant="outline"
            icon={<IconPlugConnectedX aria-hidden />}
            title={strings.similarUnavailable}
          >
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{errorMessage(similar.error)}</Text>
            </Stack>
          </Alert>
        ) : (
          <ErrorState error={similar.error} retry={() => similar.refetch()} />
        ))}
      {similar.data?.data.length === 0 && (
        <EmptyState
          icon={<IconZoomQuestion />}
          title={strings.noSimilar}
          action={
            <Button variant="default" onClick={embed}>
              {strings.index}
            </Button>
          }
        >
          {strings.noSimilarHelp}
        </EmptyState>
      )}
      {similar.data && similar.data.data.length > 0 && <SimilarTable companies={similar.data.data} />}
    </Section>
  )
}

function SimilarTable({ companies }: { companies: SearchResult[] }) {
  return (
    <Table verticalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{strings.name}</Table.Th>
          <Table.Th visibleFrom="sm">{strings.industry}</Table.Th>
          <Table.Th visibleFrom="sm" w={80}>
            {strings.scoreTitle}
          </Table.Th>
          <Table.Th w={140}>{strings.similarity}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {companies.map((company) => (
          <Table.Tr key={company.id}>
            <Table.Td>
              <ScreenLink
                to="/companies/$id"
                params={{ id: company.id }}
                size="sm"
                fw={500}
                dir="auto"
                className="break-anywhere"
                lineClamp={2}
              >
                {company.name}
              </ScreenLink>
              <Text size="xs" c="dimmed" truncate>
                <BidiText parts={[company.hq_city, formatLocation(company)]} />
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Text size="sm" lineClamp={2} dir="auto" className="break-anywhere">
                {company.industry_category}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <ScoreBadge score={company.llm_score_overall} />
            </Table.Td>
            <Table.Td>
              <ShareBar
                label={strings.similarityIs(formatPercent(company.similarity))}
                share={company.similarity}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

import { Button, Group, NativeSelect, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/import-holds.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { formatNumber } from '#web/format/format.ts'
import type { ImportSettings } from '../../settings.ts'
import type { ImportReport, StageWord } from '../report/report.ts'

const AS_IT_IS = ''

interface StagesStepProps {
  report: ImportReport
  settings: ImportSettings
  change: (change: (settings: ImportSettings) => ImportSettings) => void
}

/** The stages in a file of deals that are not configured, and what they mean. */
export function StagesStep({ report, settings, change }: StagesStepProps) {
  const { data } = useQuery({ ...fieldQueries.stageConfig(), enabled: settings.holds === 'deal' })
  const words = (report.stages ?? []).filter(({ rows }) => rows > 0)
  if (words.length === 0 || !data) return null
  const isOpen = ({ value, suggestion }: StageWord) =>
    suggestion !== null && settings.stages[value] === undefined
  const open = words.filter(isOpen)
  const choose = (chosen: Record<string, string>) =>
    change((before) => ({
      ...before,
      stages: Object.fromEntries(
        Object.entries({ ...before.stages, ...chosen }).filter(([, stage]) => stage !== AS_IT_IS),
      ),
    }))
  return (
    <Paper withBorder component="section" aria-label={strings.stages}>
      <Group justify="space-between" gap="sm" p="md" pb="xs">
        <Stack gap={2} style={{ flex: '1 1 14rem' }}>
          <Title order={2} size="h4">
            {strings.stages}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.stagesHelp}
          </Text>
        </Stack>
        {open.length > 0 && (
          <Button
            variant="default"
            size="xs"
            onClick={() =>
              choose(Object.fromEntries(open.map(({ value, suggestion }) => [value, suggestion ?? ''])))
            }
          >
            {strings.takeSuggestions(open.length)}
          </Button>
        )}
      </Group>
      <Table layout="fixed" verticalSpacing={6} horizontalSpacing="md" aria-label={strings.stages}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{strings.stageInFile}</Table.Th>
            <Table.Th w={80}>{strings.stageRows}</Table.Th>
            <Table.Th w={{ base: '50%', sm: 300 }}>{strings.stages}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {words.map((word) => (
            <StageRow
              key={word.value}
              word={word}
              chosen={settings.stages[word.value] ?? AS_IT_IS}
              stages={data.stages}
              choose={(stage) => choose({ [word.value]: stage })}
            />
          ))}
        </Table.Tbody>
      </Table>
      {(report.stages_omitted ?? 0) > 0 && (
        <Text size="sm" c="dimmed" p="md" pt="xs">
          {strings.moreStages(report.stages_omitted ?? 0)}
        </Text>
      )}
    </Paper>
  )
}

interface StageRowProps {
  word: StageWord
  /** The key of a stage; '': the word stays. */
  chosen: string
  stages: readonly { key: string; label: string }[]
  choose: (stage: string) => void
}

function StageRow({ word, chosen, stages, choose }: StageRowProps) {
  const { value, rows, stage, suggestion } = word
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} className="break-anywhere" dir="auto">
        {value}
      </Table.Th>
      <Table.Td>{formatNumber(rows)}</Table.Td>
      <Table.Td>
        <NativeSelect
          size="xs"
          aria-label={strings.stageOf(value)}
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[
            {
              value: AS_IT_IS,
              label: stage === null ? strings.leftBlank : strings.asItIs(chosen === AS_IT_IS ? stage : value),
            },
            ...stages.map(({ key, label }) => ({
              value: key,
              label: key === suggestion ? strings.suggested(label) : label,
            })),
          ]}
        />
      </Table.Td>
    </Table.Tr>
  )
}

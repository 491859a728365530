import { SimpleGrid, Stack, Text } from '@mantine/core'
import { strings } from '#strings/import.ts'
import { formatNumber } from '#web/words/format.ts'
import type { ImportReport } from './error-report.ts'

const KINDS = ['created', 'updated', 'unchanged', 'failed'] as const
/** Shown if there are any: rows that matched companies in the trash. */
const RARE_KINDS = ['restored', 'trashed'] as const

/** The number of rows by outcome. */
export function Counts({ report }: { report: ImportReport }) {
  const kinds = [...KINDS, ...RARE_KINDS.filter((kind) => report[kind] > 0)]
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
      {kinds.map((kind) => (
        <Stack key={kind} gap={2}>
          <Text size="sm" c="dimmed">
            {strings[kind]}
          </Text>
          <Text
            size="xl"
            fw={650}
            lh={1.2}
            c={kind === 'failed' && report.failed > 0 ? 'var(--mantine-color-error)' : undefined}
            style={{ fontVariantNumeric: 'tabular-nums' }}
          >
            {formatNumber(report[kind])}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  )
}

import { Checkbox, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import { strings } from '#strings/import-holds.ts'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { type ImportSettings, withHolds } from '../settings.ts'
import type { HeldType, ImportedFile, NamedCompanies } from './report/report.ts'

const TYPES = ['company', 'person', 'deal', 'note'] as const satisfies readonly HeldType[]
const ON_EXISTING = ['update', 'fill', 'skip'] as const
const MAX_SHOWN = 8

interface HoldsCardProps {
  file: ImportedFile
  /** undefined: the file was not read yet, or has no companies. */
  companies: NamedCompanies | undefined
  settings: ImportSettings
  change: (change: (settings: ImportSettings) => ImportSettings) => void
}

/** Asks what a file holds, and what happens to the companies, people, and deals that exist or do not. */
export function HoldsCard({ file: { holds }, companies, settings, change }: HoldsCardProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={strings.question}>
      <Stack gap="sm">
        <Group gap="sm">
          <Text size="sm" fw={600}>
            {strings.question}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={strings.question}
            value={settings.holds}
            onChange={(type) => change((before) => withHolds(before, type))}
            data={TYPES.map((value) => ({ value, label: strings.types[value] }))}
          />
        </Group>
        <Text size="sm" c="dimmed">
          {strings.looksLike(holds.type, holds.source)} {holds.reason}
        </Text>
        {settings.holds !== 'company' && (
          <Group gap="lg" align="flex-end">
            <Checkbox
              label={strings.createCompanies}
              checked={settings.createCompanies}
              onChange={({ currentTarget: { checked } }) =>
                change((before) => ({ ...before, createCompanies: checked }))
              }
            />
            {(settings.holds === 'person' || settings.holds === 'deal') && (
              <NativeSelect
                size="xs"
                label={strings.onExisting[settings.holds]}
                value={settings.onExisting}
                onChange={({ currentTarget: { value } }) =>
                  change((before) => ({
                    ...before,
                    onExisting: ON_EXISTING.find((one) => one === value) ?? 'update',
                  }))
                }
                data={ON_EXISTING.map((value) => ({ value, label: strings.existing[value] }))}
              />
            )}
          </Group>
        )}
        {companies && <CompaniesOfRows companies={companies} holds={settings.holds} isDone={false} />}
      </Stack>
    </Paper>
  )
}

interface CompaniesOfRowsProps {
  companies: NamedCompanies
  holds: HeldType
  /** Whether the import has happened. */
  isDone: boolean
}

/** The companies that rows name: those that are created, and those that are not found. */
export function CompaniesOfRows({ companies, holds, isDone }: CompaniesOfRowsProps) {
  const { created, linked, unknown, unknown_omitted } = companies
  const names = (list: readonly { name: string; website: string | null }[]) =>
    list.slice(0, MAX_SHOWN).map(({ name, website }) => name || (website ?? ''))
  const missing = unknown.length + unknown_omitted
  return (
    <Stack gap={2} fz="sm">
      {linked > 0 && <Text size="sm">{strings.linked(linked)}</Text>}
      {created > 0 && (
        <Text size="sm" className="break-anywhere">
          {isDone ? strings.created(created) : strings.toCreate(created)}{' '}
          {strings.names(names(companies.new), created)}
        </Text>
      )}
      {missing > 0 && (
        <Text size="sm" className="break-anywhere">
          {holds === 'deal' ? strings.failing(missing) : strings.unknown(missing)}{' '}
          {strings.names(names(unknown), missing)}
        </Text>
      )}
    </Stack>
  )
}

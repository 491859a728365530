import { Button, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MAX_ASKED } from '#src/client/limits.ts'
import { strings } from '#strings/decisions.ts'
import { decisionQueries } from '#web/api/decision-queries.ts'
import { queries } from '#web/api/queries.ts'
import { personOptions } from '#web/fields/people.ts'
import { formatWord } from '#web/format/format.ts'
import { DateInput } from '#web/ui/date-input/date-input.tsx'
import { SearchableMultiSelect } from '#web/ui/select/searchable-multi-select.tsx'
import { inMonths } from './decision-text.ts'

const MONTHS = [3, 6, 12] as const

/** The configured reasons, and those that the decision has from before they were removed. */
export function ReasonsField({
  reasons,
  onChange,
}: {
  reasons: string[]
  onChange: (reasons: string[]) => void
}) {
  const config = useQuery(decisionQueries.reasonConfig())
  const labels = new Map(config.data?.reasons.map(({ key, label }) => [key, label]))
  for (const key of reasons) if (!labels.has(key)) labels.set(key, formatWord(key))
  return (
    <SearchableMultiSelect
      label={strings.reasons}
      placeholder={reasons.length === 0 ? strings.reasonsPlaceholder : ''}
      options={[...labels].map(([value, label]) => ({ value, label }))}
      value={reasons}
      onChange={onChange}
      isPending={config.isPending}
    />
  )
}

/** The colleagues who are asked to vote. */
export function AskedField({ asked, onChange }: { asked: string[]; onChange: (asked: string[]) => void }) {
  const users = useQuery(queries.allUsers())
  const { data: me } = useQuery(queries.me())
  const options = personOptions(users.data ?? [], me?.email, null)
  const known = new Set(options.map(({ value }) => value))
  const others = asked.filter((email) => !known.has(email)).map((email) => ({ value: email, label: email }))
  return (
    <SearchableMultiSelect
      label={strings.asked}
      placeholder={asked.length === 0 ? strings.askedPlaceholder : ''}
      options={[...options, ...others]}
      value={asked}
      onChange={(emails) => onChange(emails.slice(0, MAX_ASKED))}
      isPending={users.isPending}
    />
  )
}

interface DealFieldProps {
  companyId: string
  dealId: string | null
  onChange: (dealId: string | null) => void
}

export function DealField({ companyId, dealId, onChange }: DealFieldProps) {
  const deals = useQuery(queries.company(companyId)).data?.deals ?? []
  if (deals.length === 0 && dealId === null) return null
  const options = deals.map(({ id, stage, round }) => ({
    value: id,
    label: round ? `${round} (${formatWord(stage)})` : formatWord(stage),
  }))
  const isKnown = dealId === null || options.some(({ value }) => value === dealId)
  return (
    <NativeSelect
      label={strings.deal}
      value={dealId ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      data={[
        { value: '', label: strings.noDeal },
        ...options,
        ...(isKnown ? [] : [{ value: dealId, label: dealId }]),
      ]}
    />
  )
}

/** The day to look at the company again, also in a few months. */
export function RevisitField({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  return (
    <Group gap="sm" align="flex-start">
      <DateInput
        label={strings.revisitOn}
        value={day || null}
        onChange={(typed) => onChange(typed ?? '')}
        clearable
        w={{ base: '100%', xs: 230 }}
      />
      <Group gap={6} mt={{ base: 0, xs: 26 }}>
        {MONTHS.map((months) => (
          <Button
            key={months}
            size="compact-sm"
            variant={day === inMonths(months) ? 'light' : 'default'}
            aria-pressed={day === inMonths(months)}
            onClick={() => onChange(day === inMonths(months) ? '' : inMonths(months))}
          >
            {strings.in[months]}
          </Button>
        ))}
      </Group>
    </Group>
  )
}

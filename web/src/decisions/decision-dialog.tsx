import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { DECISION_OUTCOMES, MAX_ASKED } from '#src/client/limits.ts'
import { strings } from '#strings/decisions.ts'
import { strings as general } from '#strings/general.ts'
import { decisionQueries } from '#web/api/decision-queries.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import type { Decision } from '#web/api/service.ts'
import { CompanySelect } from '#web/fields/company-select.tsx'
import { personOptions } from '#web/fields/people.ts'
import { formatWord } from '#web/format/format.ts'
import { fromLocalTime, toLocalTime } from '#web/format/local-time.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { SearchableMultiSelect } from '#web/ui/select/searchable-multi-select.tsx'
import { type DecisionText, inMonths, type Outcome, textOf } from './decision-text.ts'
import { useSaveDecision } from './use-save-decision.ts'

/** A decision to begin with. */
export interface DecisionStart {
  companyId?: string
  companyName?: string
  dealId?: string | null
  outcome?: Outcome
  body?: string
  /** The decision to change. */
  decision?: Decision
  /** Whether an open decision is to be taken. */
  takes?: boolean
}

const ASK = 'ask'
const OUTCOMES = [
  ...DECISION_OUTCOMES.map((outcome) => ({ value: outcome as string, label: strings.outcomes[outcome] })),
  { value: ASK, label: strings.ask },
]
const MONTHS = [3, 6, 12] as const

/** Records a decision about a company, asks colleagues for one, or changes one. */
export default function DecisionDialog({ close, ...start }: DecisionStart & { close: () => void }) {
  const { decision, takes = false } = start
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const [company, setCompany] = useState(
    start.companyId ? { id: start.companyId, name: start.companyName ?? start.companyId } : null,
  )
  const [text, setText] = useState<DecisionText>(() =>
    decision
      ? textOf(decision)
      : {
          ...{ outcome: start.outcome ?? null, reasons: [], body: start.body ?? '', asked: [] },
          ...{ dealId: start.dealId ?? null, decidedAt: null, revisitOn: '' },
        },
  )
  const [key] = useState(() => crypto.randomUUID())
  const [openedAt] = useState(() => new Date().toISOString())
  const [isChecked, setIsChecked] = useState(false)
  const save = useSaveDecision(close)
  const change = (changes: Partial<DecisionText>) => setText((before) => ({ ...before, ...changes }))
  const [isChosen, setIsChosen] = useState(start.outcome !== undefined || (decision !== undefined && !takes))
  const isOpen = isChosen && text.outcome === null
  const submit = () => {
    setIsChecked(true)
    if (company && isChosen && !save.isPending) save.mutate({ companyId: company.id, key, text, decision })
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  const name = company?.name ?? ''
  return (
    <Dialog
      onClose={close}
      size="lg"
      fullScreen={isNarrow}
      title={decision ? strings.editTitle(name) : company ? strings.newTitle(name) : strings.record}
    >
      <form
        noValidate
        aria-label={strings.group}
        onKeyDown={press}
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault()
          event.stopPropagation()
          submit()
        }}
      >
        <Stack gap="sm">
          {!start.companyId && (
            <CompanySelect
              label={strings.company}
              placeholder={strings.companyPlaceholder}
              record={company}
              choose={(chosen) => {
                setCompany(chosen)
                change({ dealId: null })
              }}
              error={isChecked && !company ? strings.companyRequired : null}
            />
          )}
          <SegmentedControl
            aria-label={strings.outcome}
            value={isChosen ? (text.outcome ?? ASK) : ''}
            onChange={(value) => {
              setIsChosen(true)
              change({ outcome: value === ASK ? null : (value as Outcome) })
            }}
            data={takes ? OUTCOMES.filter(({ value }) => value !== ASK) : OUTCOMES}
          />
          {isChecked && !isChosen && (
            <Text size="xs" c="red" role="alert">
              {strings.outcomeRequired}
            </Text>
          )}
          <ReasonsField reasons={text.reasons} onChange={(reasons) => change({ reasons })} />
          <Textarea
            label={strings.take}
            placeholder={strings.takePlaceholder}
            autosize
            minRows={4}
            maxRows={16}
            value={text.body}
            onChange={({ currentTarget }) => change({ body: currentTarget.value })}
            dir="auto"
            data-autofocus
          />
          {isOpen && <AskedField asked={text.asked} onChange={(asked) => change({ asked })} />}
          <Group gap="sm" align="flex-start">
            {company && (
              <DealField
                companyId={company.id}
                dealId={text.dealId}
                onChange={(dealId) => change({ dealId })}
              />
            )}
            {!isOpen && (
              <TextInput
                type="datetime-local"
                label={strings.decidedOn}
                value={toLocalTime(text.decidedAt ?? openedAt)}
                onChange={({ currentTarget }) =>
                  change({ decidedAt: fromLocalTime(currentTarget.value) ?? null })
                }
              />
            )}
          </Group>
          {!isOpen && <RevisitField day={text.revisitOn} onChange={(revisitOn) => change({ revisitOn })} />}
          {save.isError && (
            <Alert color="red" role="alert" title={general.notSaved} className="break-anywhere">
              {errorMessage(save.error)}
            </Alert>
          )}
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed" visibleFrom="xs">
              {strings.saveHint}
            </Text>
            <Group gap="xs" ml="auto">
              <Button variant="default" onClick={close}>
                {general.cancel}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {isOpen ? strings.askNow : strings.save}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The configured reasons, and those that the decision has from before they were removed. */
function ReasonsField({ reasons, onChange }: { reasons: string[]; onChange: (reasons: string[]) => void }) {
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
function AskedField({ asked, onChange }: { asked: string[]; onChange: (asked: string[]) => void }) {
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

function DealField({ companyId, dealId, onChange }: DealFieldProps) {
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
function RevisitField({ day, onChange }: { day: string; onChange: (day: string) => void }) {
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        type="date"
        label={strings.revisitOn}
        value={day}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group gap={6} pb={4}>
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

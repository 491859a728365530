import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { DECISION_OUTCOMES } from '#src/client/limits.ts'
import { strings } from '#strings/decisions.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import type { Decision } from '#web/api/service.ts'
import { useDraft } from '#web/editing/use-draft.ts'
import { CompanySelect } from '#web/fields/company-select.tsx'
import { DateTimeInput } from '#web/ui/date-input/date-time-input.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { AskedField, DealField, ReasonsField, RevisitField } from './decision-fields.tsx'
import { type DecisionText, type Outcome, textOf } from './decision-text.ts'
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

/** What is typed, and whether an outcome or Ask was chosen. */
interface Draft extends DecisionText {
  isChosen: boolean
}

const initialOf = ({ decision, takes = false, outcome, body = '', dealId = null }: DecisionStart): Draft =>
  decision
    ? { ...textOf(decision), isChosen: !takes }
    : {
        ...{ outcome: outcome ?? null, isChosen: outcome !== undefined, body, dealId },
        ...{ reasons: [], asked: [], decidedAt: null, revisitOn: '' },
      }

const isDraft = (stored: unknown): stored is Draft =>
  typeof stored === 'object' && stored !== null && 'isChosen' in stored && 'revisitOn' in stored

/** Each company, each text to begin with, and each version of a decision has a draft of its own. */
const draftKeyOf = ({ decision, takes, companyId = '', body = '' }: DecisionStart): string =>
  decision
    ? `decision:${decision.id}:${decision.updated_at}:${takes ? 'take' : 'edit'}`
    : `decision:new:${companyId}:${body.slice(0, 60)}`

/** Records a decision about a company, asks colleagues for one, or changes one. */
export default function DecisionDialog({ close, ...start }: DecisionStart & { close: () => void }) {
  const { decision, takes = false } = start
  const isNarrow = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const [company, setCompany] = useState(
    start.companyId ? { id: start.companyId, name: start.companyName ?? start.companyId } : null,
  )
  const [text, setText, discard] = useDraft<Draft>(draftKeyOf(start), initialOf(start), isDraft)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [openedAt] = useState(() => new Date().toISOString())
  const [isChecked, setIsChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const save = useSaveDecision(() => {
    discard()
    close()
  })
  const change = (changes: Partial<Draft>) => {
    setText({ ...text, ...changes })
    // Another text is another request.
    setKey(crypto.randomUUID())
    if (save.isError) save.reset()
  }
  const { isChosen } = text
  const isOpen = isChosen && text.outcome === null
  const submit = () => {
    setIsChecked(true)
    if (company && isChosen && !save.isPending) save.mutate({ companyId: company.id, key, text, decision })
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.current?.requestSubmit()
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
        ref={form}
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
              change({ isChosen: true, outcome: value === ASK ? null : (value as Outcome) })
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
              <DateTimeInput
                label={strings.decidedOn}
                value={text.decidedAt ?? openedAt}
                onChange={(decidedAt) => change({ decidedAt })}
                isPast
                w={{ base: '100%', xs: 230 }}
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
              <Button
                variant="default"
                onClick={() => {
                  discard()
                  close()
                }}
              >
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

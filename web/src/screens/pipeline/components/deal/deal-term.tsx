import { Loader, Text } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { strings } from '#strings/pipeline.ts'
import { errorMessage } from '#web/api/error-message.ts'
import type { Deal } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { isConflict } from '#web/editing/if-match.ts'
import { CustomFieldInput } from '#web/fields/custom-field-input.tsx'
import { CustomFieldValue } from '#web/fields/custom-field-value.tsx'
import { checkText, withLabel } from '#web/fields/custom-values.ts'
import { useUpdateDeal } from '../../hooks/use-update-deal.tsx'
import { checkTerm, type Term, termChange, textOfTerm, valueOfTerm, withTermLabel } from '../../terms.ts'
import classes from './deal-panel.module.css'

interface DealTermProps {
  deal: Deal
  term: Term
  /** Whether the input takes the focus. */
  opensAtOnce?: boolean
}

/** A term of a deal beside its label. It is saved when it is chosen, with Enter, or when it loses the focus. */
export function DealTerm({ deal, term, opensAtOnce = false }: DealTermProps) {
  const mayWrite = useCan('write')
  const isLocked = !mayWrite
  return (
    <div className={classes.term}>
      <Text span size="sm" c="dimmed" className="break-anywhere">
        {term.label}
      </Text>
      {isLocked ? (
        <Text span size="sm" className="break-anywhere">
          <CustomFieldValue field={term} value={valueOfTerm(deal, term)} />
        </Text>
      ) : (
        <TermInput deal={deal} term={term} opensAtOnce={opensAtOnce} />
      )}
    </div>
  )
}

/** Text that is typed is saved later, a choice at once. */
const TYPED = ['text', 'long_text', 'number', 'money', 'date', 'url', 'email', 'multi_select']

function TermInput({ deal, term, opensAtOnce = false }: DealTermProps) {
  const { mutateAsync } = useUpdateDeal(true)
  const stored = textOfTerm(deal, term)
  const [draft, setDraft] = useState<string | null>(null)
  const [state, setState] = useState<'saving' | { error: string } | null>(null)
  const saves = useRef(0)
  const save = async (text: string) => {
    if (text.trim() === stored.trim()) {
      setDraft(null)
      setState(null)
      return
    }
    const problem = checkTerm(term, text) ?? checkText(text)
    if (problem) return setState({ error: problem })
    setState('saving')
    saves.current += 1
    const latest = saves.current
    const error = await mutateAsync({ deal, changes: termChange(term, text) }).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    // Text typed since then stays, and its own save reports errors.
    if (error === null) setDraft((now) => (now === text ? null : now))
    if (latest === saves.current) setState(error === null ? null : { error: messageOf(term, error) })
  }
  // Keeps the text while it is being saved, in case the service rejects it.
  const saveDraft = () => draft !== null && state !== 'saving' && save(draft)
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) saveDraft()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (term.type !== 'long_text' || event.ctrlKey || event.metaKey)) saveDraft()
    if (event.key !== 'Escape' || draft === null || isListOpen(event.target)) return
    // The panel stays open.
    event.preventDefault()
    setDraft(null)
    setState(null)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work in the input
    <div
      className={classes.input}
      data-empty={(draft ?? stored) === '' || undefined}
      onBlur={leave}
      onKeyDown={press}
    >
      <CustomFieldInput
        field={term}
        text={draft ?? stored}
        onChange={(text) => {
          setDraft(text)
          setState(null)
          if (!TYPED.includes(term.type)) save(text)
        }}
        error={typeof state === 'object' ? (state?.error ?? null) : null}
        hideLabel
        size="xs"
        autoFocus={opensAtOnce}
        opensChoices={opensAtOnce}
        {...(term.required && { required: true })}
      />
      <span role="status" className={classes.saving}>
        {state === 'saving' && <Loader size={12} color="gray" aria-label={strings.saving} />}
      </span>
    </div>
  )
}

/** Mantine marks the input of an open list, which Escape closes first. */
export const isListOpen = (target: EventTarget): boolean =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true'

const messageOf = (term: Term, error: unknown): string =>
  isConflict(error)
    ? strings.conflict
    : term.isCustom
      ? withLabel(term, errorMessage(error))
      : withTermLabel(term, errorMessage(error))

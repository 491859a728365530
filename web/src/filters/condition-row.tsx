import { CloseButton, NativeSelect } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { strings } from '#strings/filters.ts'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'
import type { DraftCondition } from './draft.ts'
import classes from './filters.module.css'
import { type Comparison, comparisonLabel, comparisonsOf, kindOf, valueFor } from './operators.ts'
import { fieldLabel } from './sentence.ts'
import { type Field, type FieldMap, nameOfCompanyField } from './use-fields.ts'
import { ValueInput } from './value-input.tsx'
import { IN_POPOVER } from './value-props.ts'

interface ConditionRowProps {
  condition: DraftCondition
  /** Starts at 1. */
  position: number
  fields: FieldMap
  /** "Where", "and", or "or". */
  lead: ReactNode
  isFocused: boolean
  change: (condition: DraftCondition) => void
  remove: () => void
}

/** A condition: field, operator, and value, which read like a sentence. */
export function ConditionRow(props: ConditionRowProps) {
  const { condition, position, fields, lead, isFocused, change, remove } = props
  const row = useRef<HTMLFieldSetElement>(null)
  const isNew = condition.field === ''
  useEffect(() => {
    const target = row.current?.querySelector<HTMLElement>('[data-autofocus]')
    if (!isFocused || !target) return
    // The popover first has to remember where the focus was.
    const isOpening = !target.closest('[role=dialog]')?.contains(document.activeElement)
    if (!isOpening) return target.focus()
    const timer = setTimeout(() => target.focus())
    return () => clearTimeout(timer)
  }, [isFocused])
  const field = fields.get(condition.field)
  const choose = (name: string | null) => {
    const chosen = fields.get(name ?? '')
    if (!chosen || name === condition.field) return
    const comparison = comparisonsOf(chosen)[0] as Comparison
    change({ id: condition.id, field: chosen.name, comparison, value: valueFor(condition, comparison) })
  }
  return (
    <fieldset ref={row} className={classes.row} aria-label={strings.condition(position)}>
      <div className={classes.lead}>{lead}</div>
      <SearchableSelect
        className={classes.field}
        aria-label={strings.field}
        data-field
        data-autofocus={(isFocused && isNew) || undefined}
        size="xs"
        placeholder={strings.chooseField}
        options={fieldOptions(fields, condition.field)}
        value={condition.field || null}
        onChange={choose}
        comboboxProps={IN_POPOVER}
      />
      {field && (
        <>
          <NativeSelect
            className={classes.operator}
            aria-label={strings.operator}
            data-operator
            data-autofocus={isFocused || undefined}
            size="xs"
            data={comparisonsOf(field, condition.comparison).map((comparison) => ({
              value: comparison,
              label: comparisonLabel(kindOf(field), comparison),
            }))}
            value={condition.comparison}
            onChange={(event) => {
              const comparison = event.currentTarget.value as Comparison
              change({ ...condition, comparison, value: valueFor(condition, comparison) })
            }}
          />
          <div className={classes.value}>
            <ValueInput
              field={field}
              comparison={condition.comparison}
              value={condition.value}
              onChange={(value) => change({ ...condition, value })}
              label={strings.value}
            />
          </div>
        </>
      )}
      <CloseButton
        size="sm"
        className={classes.remove}
        aria-label={strings.removeCondition(position)}
        onClick={remove}
      />
    </fieldset>
  )
}

/** Programs filter by record ids, people do not. */
const isOffered = ({ name, type }: Field): boolean =>
  type !== 'reference' || nameOfCompanyField(name) === 'thesis_id'

/** The fields to choose from. A field from an address stays, even if the service does not know it. */
function fieldOptions(fields: FieldMap, present: string) {
  const offered = [...fields.values()].filter(
    (field) => field.name === present || (isOffered(field) && !field.archived),
  )
  const items = (isCustom: boolean) =>
    offered
      .filter(({ id }) => (id !== null) === isCustom)
      .map(({ name }) => ({ value: name, label: fieldLabel(name, fields) }))
      .toSorted((a, b) => a.label.localeCompare(b.label))
  const unknown =
    present && !fields.has(present) ? [{ value: present, label: fieldLabel(present, fields) }] : []
  const custom = items(true)
  const groups = [{ group: strings.fields, items: [...unknown, ...items(false)] }]
  return custom.length > 0 ? [...groups, { group: strings.customFields, items: custom }] : groups
}

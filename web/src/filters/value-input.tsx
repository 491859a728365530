import { Group, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { strings } from '#strings/filters.ts'
import { localNumbers } from '#web/format/format.ts'
import { DateInput } from '#web/ui/date-input/date-input.tsx'
import { ChoiceInput } from './choice-input.tsx'
import { CompanyChoice } from './company-choice.tsx'
import classes from './filters.module.css'
import { type Comparison, kindOf, type Period, parsePeriod, periodText, valueShape } from './operators.ts'
import { dateWords } from './sentence.ts'
import { type Field, isCompanyField } from './use-fields.ts'
import type { ValueInputProps } from './value-props.ts'

interface OfFieldProps extends ValueInputProps {
  field: Field
}

/** The value that a condition compares with; nothing for comparisons without one. */
export function ValueInput(props: OfFieldProps & { comparison: Comparison }) {
  const { comparison, value, onChange } = props
  switch (valueShape(comparison)) {
    case 'none':
      return null
    case 'several':
      return isCompanyField(props.field) ? <CompanyChoice {...props} /> : <ChoiceInput {...props} />
    case 'period':
      return <PeriodInput {...props} isPast={comparison !== 'next'} />
    case 'range': {
      const [from = '', to = ''] = Array.isArray(value) ? value : []
      return (
        <div className={classes.range} data-dates={kindOf(props.field) === 'date' || undefined}>
          <OneInput
            {...props}
            label={strings.first}
            value={from}
            onChange={(next) => onChange([next ?? '', to])}
          />
          <OneInput
            {...props}
            label={strings.last}
            value={to}
            onChange={(next) => onChange([from, next ?? ''])}
          />
        </div>
      )
    }
    default:
      return <OneInput {...props} />
  }
}

/** Days that move with time, and the times that addresses can have. */
const OTHER_DATES = {
  parse: (text: string) => {
    const typed = text.trim().toLowerCase().replace('−', '-')
    return typed === 'today' || parsePeriod(typed) ? typed : undefined
  },
  describe: (value: string) =>
    value === 'today' || parsePeriod(value) ? strings.moving(dateWords(value)) : undefined,
}

function OneInput({ field, value, onChange, label }: OfFieldProps) {
  const kind = kindOf(field)
  if (kind === 'number')
    return (
      <NumberInput
        {...localNumbers()}
        aria-label={label}
        size="xs"
        hideControls
        placeholder={strings.enterValue}
        {...(field.name === 'founded_year' && { thousandSeparator: '' })}
        value={value === undefined || value === null ? '' : String(value)}
        onChange={(typed) =>
          onChange(typed === '' || !Number.isFinite(Number(typed)) ? undefined : Number(typed))
        }
      />
    )
  const text = value === undefined || value === null ? '' : String(value)
  if (kind === 'date')
    return (
      <DateInput
        aria-label={label}
        size="xs"
        placeholder={strings.enterDate}
        value={text || null}
        onChange={(date) => onChange(date ?? undefined)}
        clearable
        isPast={field.type === 'timestamp'}
        others={OTHER_DATES}
      />
    )
  return (
    <TextInput
      aria-label={label}
      size="xs"
      placeholder={strings.enterValue}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      dir="auto"
    />
  )
}

const MAX_COUNT = 99_999

function PeriodInput({ value, onChange, isPast }: ValueInputProps & { isPast: boolean }) {
  const period = parsePeriod(value)
  const unit = period?.unit ?? 'd'
  const put = (change: Partial<Period>) =>
    onChange(periodText({ count: 1, unit, ...period, ...change, isPast }))
  return (
    <Group gap={6} wrap="nowrap">
      <NumberInput
        aria-label={strings.amount}
        size="xs"
        w="5rem"
        min={1}
        max={MAX_COUNT}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        value={period?.count ?? ''}
        onChange={(typed) => (typed === '' ? onChange(undefined) : put({ count: Number(typed) }))}
      />
      <NativeSelect
        aria-label={strings.unit}
        size="xs"
        flex={1}
        data={Object.entries(strings.units).map(([id, label]) => ({ value: id, label }))}
        value={unit}
        onChange={(event) => put({ unit: event.currentTarget.value as Period['unit'] })}
      />
    </Group>
  )
}

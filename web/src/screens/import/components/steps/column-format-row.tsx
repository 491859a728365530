import { Group, NativeSelect, NumberInput, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'
import { strings } from '#strings/import.ts'
import { localNumbers } from '#web/format/format.ts'
import { lazily } from '#web/format/lazily.ts'
import type { FormatChoice } from '../../settings.ts'
import type { FieldWords } from '../report/field-words.ts'
import type { ColumnFormat } from '../report/report.ts'
import { FormatQuestion } from './format-question.tsx'
import classes from './formats.module.css'
import { foreignCurrencies, openCurrency } from './open-formats.ts'
import type { RequestedFormat } from './readings.ts'

interface ColumnFormatRowProps {
  format: ColumnFormat
  requested: RequestedFormat | undefined
  /** The user's choice. The service decides the rest. */
  choice: FormatChoice
  change: (choice: FormatChoice) => void
  words: FieldWords
}

/** The format of a column's values: examples as they are stored, and the choices. */
export function ColumnFormatRow({ format, requested, choice, change, words }: ColumnFormatRowProps) {
  const { column, field, kind, examples, question } = format
  const stored = words.currencyOf(field)
  const open = openCurrency(format, choice, stored)
  const label = words.labelOf(field)
  return (
    <li className={classes.row} data-format={column} data-open={question !== null || undefined}>
      <div className={classes.grid}>
        <Stack gap={0}>
          <Text size="sm" fw={500} className="break-anywhere" dir="auto">
            {column}
          </Text>
          {label.toLowerCase() !== column.toLowerCase() && (
            <Text size="xs" c="dimmed">
              {label}
            </Text>
          )}
        </Stack>
        <div className={classes.examples}>
          <VisuallyHidden>{strings.examplesOf(column)}</VisuallyHidden>
          {examples.map(({ row, cell, value }) => (
            <Fragment key={row}>
              <span className={classes.cell} dir="auto">
                {cell}
              </span>
              <span className={classes.arrow} aria-hidden>
                →
              </span>
              <span dir="auto">
                <VisuallyHidden>{strings.storedAs}</VisuallyHidden>
                {value === '' ? (
                  <Text span inherit c="dimmed" fs="italic">
                    {strings.blank}
                  </Text>
                ) : (
                  words.textOf(field, kind === 'date' ? value : storedNumber(value))
                )}
              </span>
            </Fragment>
          ))}
        </div>
        <Stack gap="xs">
          {requested && (
            <FormatQuestion column={column} requested={requested} choice={choice} change={change} />
          )}
          {open && (
            <Text size="sm" fw={600} className="break-anywhere">
              {strings.openCurrency[open.ask](open.currencies, stored)}
            </Text>
          )}
          <FormatControls format={format} choice={choice} change={change} stored={stored} />
        </Stack>
      </div>
    </li>
  )
}

/** Numbers come as text, so that none loses digits. */
const storedNumber = (value: string): number | string =>
  Number.isFinite(Number(value)) ? Number(value) : value

type FormatControlsProps = Omit<ColumnFormatRowProps, 'requested' | 'words'> & {
  /** The currency of the field. */
  stored: string
}

function FormatControls({ format, choice, change, stored }: FormatControlsProps) {
  const { column, kind } = format
  const open = format.question === null ? strings.detected : strings.choose
  const decimal = choice.decimal ?? format.decimal
  const unit = choice.unit ?? format.unit
  const date_order = choice.date_order ?? format.date_order
  return (
    <Group gap="xs" align="flex-end">
      {kind !== 'date' && (decimal !== null || format.question === 'decimal') && (
        <FormatSelect
          label={strings.decimal}
          column={column}
          value={decimal}
          labels={strings.decimals}
          open={open}
          choose={(value) => change({ decimal: value })}
        />
      )}
      {kind === 'amount' && (
        <FormatSelect
          label={strings.unit}
          column={column}
          value={unit}
          labels={strings.units}
          open={open}
          choose={(value) => change({ unit: value })}
        />
      )}
      {kind === 'amount' && (
        <CurrencyControls format={format} choice={choice} change={change} stored={stored} />
      )}
      {kind === 'date' && (
        <FormatSelect
          label={strings.dateOrder}
          column={column}
          value={date_order}
          labels={strings.dateOrders}
          open={open}
          choose={(value) => change({ date_order: value })}
        />
      )}
    </Group>
  )
}

interface FormatSelectProps<Value extends string> {
  label: string
  column: string
  value: Value | null
  labels: Record<Value, string>
  /** The label of the option for no choice. */
  open: string
  choose: (value: Value) => void
}

function FormatSelect<Value extends string>({
  label,
  column,
  value,
  labels,
  open,
  choose,
}: FormatSelectProps<Value>) {
  const entries = Object.entries<string>(labels).map(([one, text]) => ({ value: one, label: text }))
  return (
    <NativeSelect
      size="xs"
      label={label}
      aria-label={strings.formatOf(label, column)}
      value={value ?? ''}
      onChange={(event) => choose(event.currentTarget.value as Value)}
      data={value === null ? [{ value: '', label: open }, ...entries] : entries}
    />
  )
}

function CurrencyControls({ format, choice, change, stored }: FormatControlsProps) {
  const { column } = format
  const currency = choice.currency ?? format.currency ?? ''
  const rates = { ...format.rates, ...choice.rates }
  const foreign = foreignCurrencies(format, choice, stored)
  return (
    <>
      <NativeSelect
        size="xs"
        w={130}
        label={strings.currency}
        aria-label={strings.formatOf(strings.currency, column)}
        value={currency}
        onChange={(event) => change({ currency: event.currentTarget.value })}
        data={[...(currency === '' ? [{ value: '', label: strings.choose }] : []), ...currencyChoices()]}
      />
      {foreign.map((code) => (
        <NumberInput
          key={code}
          size="xs"
          w={130}
          label={strings.rateOf(code)}
          aria-label={strings.formatOf(strings.rateOf(code), column)}
          placeholder={strings.ratePlaceholder}
          rightSection="€"
          hideControls
          {...localNumbers()}
          min={0}
          max={1_000_000}
          value={rates[code] ?? ''}
          onChange={(value) => change({ rates: withRate(choice.rates, code, Number(value)) })}
        />
      ))}
    </>
  )
}

/** A rate of 0 is none. */
const withRate = (
  rates: FormatChoice['rates'] = {},
  currency: string,
  rate: number,
): Record<string, number> =>
  Object.fromEntries(Object.entries({ ...rates, [currency]: rate }).filter(([, input]) => input > 0))

/** The most common currencies in such lists. */
const COMMON = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'JPY', 'CNY', 'INR', 'BRL']

/** All currencies, the common ones first. */
const currencyChoices = lazily(() => {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' })
  const others = Intl.supportedValuesOf('currency').filter((code) => !COMMON.includes(code))
  return [...COMMON, ...others].map((value) => ({ value, label: `${value} – ${names.of(value)}` }))
})

import { CloseButton, Group, Input, NumberInput, Slider } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { strings } from '#strings/pipeline.ts'
import { formatPercent } from '#web/format/format.ts'

interface ProbabilityFieldProps {
  /** 0 to 100, or null for none. */
  value: number | null
  /** Called when the slider has rested for a moment, or when the field loses focus. */
  onChange: (value: number | null) => void
}

const DEBOUNCE_MS = 500
const MARKS = [{ value: 25 }, { value: 50 }, { value: 75 }]

/** A probability as a slider and a number. */
export function ProbabilityField({ value, onChange }: ProbabilityFieldProps) {
  const [shown, setShown] = useState<number | null>(value)
  useEffect(() => setShown(value), [value])
  // Every press of an arrow key ends a slider change.
  const settle = useDebouncedCallback(onChange, { delay: DEBOUNCE_MS, flushOnUnmount: true })
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Input.Label component="legend" labelElement="div" mb={4} p={0}>
        {strings.probability}
      </Input.Label>
      <Group gap="md" wrap="nowrap">
        <Slider
          style={{ flex: 1 }}
          min={0}
          max={100}
          step={5}
          value={shown ?? 0}
          onChange={setShown}
          onChangeEnd={settle}
          onBlur={settle.flush}
          label={(percent) => formatPercent(percent / 100)}
          thumbLabel={strings.probability}
          marks={MARKS}
          color={shown === null ? 'gray' : undefined}
        />
        <NumberInput
          aria-label={strings.probabilityPercent}
          w="5.5rem"
          min={0}
          max={100}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          suffix="%"
          placeholder="–"
          hideControls
          value={shown ?? ''}
          onChange={(typed) => setShown(typed === '' ? null : Number(typed))}
          onBlur={() => onChange(shown)}
          onKeyDown={(event) => event.key === 'Enter' && onChange(shown)}
          rightSection={
            shown !== null && (
              <CloseButton size="sm" aria-label={strings.clearProbability} onClick={() => onChange(null)} />
            )
          }
        />
      </Group>
    </fieldset>
  )
}

import { Button, Group, NumberInput } from '@mantine/core'
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { strings } from '#strings/company.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'

const FIRST_YEAR = 1000
const LAST_YEAR = 2100

interface AddYearProps {
  /** The suggested year. */
  next: number
  /** The existing years. */
  taken: string[]
  add: (year: string) => Promise<void>
  cancel: () => void
}

/** A form for a new year of figures. */
export function AddYear({ next, taken, add, cancel }: AddYearProps) {
  const [year, setYear] = useState<number | string>(next)
  const [error, setError] = useState<string | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const problem = validateYear(Number(year), taken)
    setError(problem)
    if (problem) return
    setIsSaving(true)
    try {
      await add(String(year))
    } catch (reason) {
      setError(errorMessage(reason))
      setIsSaving(false)
    }
  }
  return (
    <form
      onSubmit={submit}
      noValidate
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape' && !event.nativeEvent.isComposing) cancel()
      }}
    >
      <Group gap="xs" align="flex-start">
        <NumberInput
          ref={input}
          aria-label={strings.year}
          value={year}
          onChange={setYear}
          error={error}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          hideControls
          maw="12rem"
        />
        <Button type="submit" loading={isSaving}>
          {strings.add}
        </Button>
        <Button variant="default" onClick={cancel}>
          {general.cancel}
        </Button>
      </Group>
    </form>
  )
}

function validateYear(year: number, taken: string[]): string | null {
  if (!Number.isInteger(year) || year < FIRST_YEAR || year > LAST_YEAR)
    return strings.wholeNumber(String(FIRST_YEAR), String(LAST_YEAR))
  return taken.includes(String(year)) ? strings.duplicateYear : null
}

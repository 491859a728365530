import { Button, Group, NativeSelect, NumberInput } from '@mantine/core'
import { MAX_TASK_DAYS } from '#src/client/limits.ts'
import { strings } from '#strings/tasks.ts'
import { localNumbers } from '#web/format/format.ts'
import { momentOf } from '#web/format/parse-day-time.ts'
import { DateInput } from '#web/ui/date-input/date-input.tsx'
import { DateTimeInput } from '#web/ui/date-input/date-time-input.tsx'
import { type Due, dueDay } from './due.ts'
import { ownToday } from './own-today.ts'
import { DEFAULT_UNLESS_DAYS, REPEATS, type Repeat } from './task-text.ts'

const DEFAULT_CLOCK = '09:00'
const NO_DUE: Due = { due_on: null, due_at: null }

interface DueFieldProps {
  due: Due
  onChange: (due: Due) => void
  /** Whether a time of day is possible. */
  mayHaveTime: boolean
  error: string | null
}

/** The day on which a task is due, or a day with a time. */
export function DueField({ due, onChange, mayHaveTime, error }: DueFieldProps) {
  const hasTime = due.due_at !== null
  const field = { label: strings.due, error, clearable: true, w: { base: '100%', xs: 250 } }
  return (
    <Group gap="xs" align="flex-start">
      {hasTime ? (
        <DateTimeInput
          {...field}
          placeholder={strings.dueAtPlaceholder}
          value={due.due_at}
          onChange={(due_at) => onChange({ due_on: null, due_at })}
        />
      ) : (
        <DateInput
          {...field}
          placeholder={strings.duePlaceholder}
          value={due.due_on}
          onChange={(due_on) => onChange({ due_on, due_at: null })}
        />
      )}
      {mayHaveTime && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={25}
          onClick={() => {
            const day = dueDay(due) ?? ownToday()
            onChange(
              hasTime ? { ...NO_DUE, due_on: day } : { ...NO_DUE, due_at: momentOf(day, DEFAULT_CLOCK) },
            )
          }}
        >
          {hasTime ? strings.removeTime : strings.addTime}
        </Button>
      )}
    </Group>
  )
}

interface RepeatFieldProps {
  repeat: Repeat
  unlessDays: number | null
  onChange: (changes: { repeat?: Repeat; unlessDays?: number | null }) => void
  error: string | null
}

/** How often a task repeats, or after how many days without contact it is due. */
export function RepeatField({ repeat, unlessDays, onChange, error }: RepeatFieldProps) {
  const isContact = repeat === 'unless'
  return (
    <Group gap="sm" align="flex-start">
      <NativeSelect
        label={strings.repeat}
        value={repeat}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as Repeat
          onChange({
            repeat: chosen,
            unlessDays: chosen === 'unless' ? (unlessDays ?? DEFAULT_UNLESS_DAYS) : null,
          })
        }}
        data={REPEATS.map((value) => ({ value, label: strings.repeats[value] }))}
        w={{ base: '100%', xs: 230 }}
      />
      {isContact && (
        <NumberInput
          {...localNumbers()}
          label={strings.unlessDays}
          description={strings.unlessHelp}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          suffix={strings.unlessSuffix}
          value={unlessDays ?? ''}
          onChange={(typed) => onChange({ unlessDays: typed === '' ? null : Number(typed) })}
          max={MAX_TASK_DAYS}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          error={error}
          flex={1}
          miw={220}
        />
      )}
    </Group>
  )
}

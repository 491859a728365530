import '@mantine/dates/styles.css'
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { strings } from '#strings/date-input.ts'
import { addDays, addMonths, weekdayOf } from '#web/format/calendar-day.ts'
import { firstWeekday, formatFullDay, formatMonthHeading, formatShortWeekday } from '#web/format/days.ts'
import classes from './date-input.module.css'

export interface CalendarProps {
  day: string | null
  today: string
  /** The first and the last day to choose. */
  min: string
  max: string
  shortcuts: readonly { label: string; day: string }[]
  choose: (day: string) => void
  clear?: () => void
  /** The time of day, which is chosen after the day. */
  time?: { clock: string; change: (clock: string) => void; end: () => void }
}

/** The day that a key moves to. Weeks of Home and End are those on screen. */
const MOVES: Partial<Record<string, (day: string, isShift: boolean) => string | undefined>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  PageUp: (day, isShift) => addMonths(day, isShift ? -12 : -1),
  PageDown: (day, isShift) => addMonths(day, isShift ? 12 : 1),
  Home: (day) => addDays(day, -((weekdayOf(day) - firstWeekday() + 7) % 7)),
  End: (day) => addDays(day, 6 - ((weekdayOf(day) - firstWeekday() + 7) % 7)),
}

const clamp = (day: string, min: string, max: string) => (day < min ? min : day > max ? max : day)
const noon = (day: string) => `${day.slice(0, 10)}T12:00:00`

/** A month of days, which works with the keyboard, and shortcuts. */
export default function Calendar({ day, today, min, max, shortcuts, choose, clear, time }: CalendarProps) {
  const root = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState({ day: clamp(day ?? today, min, max) })
  const [shown, setShown] = useState(focused.day)
  useEffect(() => {
    root.current?.querySelector<HTMLElement>(`[data-day="${focused.day}"]`)?.focus()
  }, [focused])
  const move = (event: KeyboardEvent) => {
    const from = event.target instanceof HTMLElement ? event.target.dataset.day : undefined
    const to = from && MOVES[event.key]?.(from, event.shiftKey)
    if (!to) return
    event.preventDefault()
    event.stopPropagation()
    setFocused({ day: clamp(to, min, max) })
    setShown(clamp(to, min, max))
  }
  const take = (chosen: string) => {
    choose(chosen)
    if (!time) return
    setShown(chosen)
    root.current?.querySelector<HTMLElement>('input[type=time]')?.focus()
  }
  return (
    <Stack gap="xs" ref={root} onKeyDownCapture={move}>
      <Group gap={6} role="group" aria-label={strings.shortcutsLabel}>
        {shortcuts.map((shortcut) => (
          <Chip key={shortcut.label} label={shortcut.label} choose={() => take(shortcut.day)} />
        ))}
        {clear && <Chip label={strings.clear} choose={clear} />}
      </Group>
      <DatePicker
        value={day}
        onChange={(chosen) => chosen && take(chosen)}
        date={shown}
        onDateChange={setShown}
        minDate={min}
        maxDate={max}
        size="sm"
        className={classes.days}
        firstDayOfWeek={((firstWeekday() + 1) % 7) as 0}
        weekendDays={[]}
        weekdayFormat={(date) => formatShortWeekday(noon(date))}
        monthLabelFormat={(date) => formatMonthHeading(noon(date))}
        getDayAriaLabel={(date) => formatFullDay(noon(date))}
        getDayProps={(date) => ({
          'data-day': date,
          'data-today': date === today || undefined,
          'data-autofocus': date === focused.day || undefined,
          'aria-current': date === today ? 'date' : undefined,
          'aria-pressed': date === day,
        })}
        highlightToday
        enableKeyboardNavigation={false}
        __stopPropagation
        ariaLabels={{
          previousMonth: strings.previousMonth,
          nextMonth: strings.nextMonth,
          previousYear: strings.previousYear,
          nextYear: strings.nextYear,
          previousDecade: strings.previousDecade,
          nextDecade: strings.nextDecade,
          monthLevelControl: strings.chooseMonth(formatMonthHeading(noon(shown))),
          yearLevelControl: strings.chooseYear(shown.slice(0, 4)),
        }}
      />
      {time && (
        <TextInput
          type="time"
          label={strings.time}
          size="xs"
          value={time.clock}
          onChange={({ currentTarget: { value } }) => value && time.change(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            time.end()
          }}
          data-mantine-stop-propagation
        />
      )}
    </Stack>
  )
}

function Chip({ label, choose }: { label: string; choose: () => void }) {
  return (
    <Button variant="default" size="compact-xs" onClick={choose} data-mantine-stop-propagation>
      {label}
    </Button>
  )
}

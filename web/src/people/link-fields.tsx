import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { strings } from '#strings/people.ts'
import { formatDate } from '#web/format/format.ts'
import { firstDay, type LinkDraft, lastDay, problemsOfLink } from './link-draft.ts'

const MAX_ROLE_LENGTH = 200

interface LinkFieldsProps {
  link: LinkDraft
  change: (link: LinkDraft) => void
  /** Whether the dialog focuses the role. */
  isFirst?: boolean
}

/** The role of a person at a company, and when. */
export function LinkFields({ link, change, isFirst = false }: LinkFieldsProps) {
  const problems = problemsOfLink(link)
  return (
    <>
      <TextInput
        label={strings.role}
        placeholder={strings.rolePlaceholder}
        {...(isFirst && { 'data-autofocus': true })}
        maxLength={MAX_ROLE_LENGTH}
        value={link.role}
        onChange={(event) => change({ ...link, role: event.currentTarget.value })}
        dir="auto"
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DateInput
          label={strings.from}
          typed={link.from}
          day={firstDay(link.from)}
          problem={problems.from}
          change={(from) => change({ ...link, from })}
        />
        <DateInput
          label={strings.until}
          typed={link.until}
          day={lastDay(link.until)}
          problem={problems.until}
          change={(until) => change({ ...link, until })}
        />
      </SimpleGrid>
      <Checkbox
        label={strings.isPrimary}
        checked={link.is_primary}
        onChange={(event) => change({ ...link, is_primary: event.currentTarget.checked })}
      />
    </>
  )
}

interface DateInputProps {
  label: string
  typed: string
  /** What was typed as a date. */
  day: string | null | undefined
  problem: string | undefined
  change: (typed: string) => void
}

/** Takes a day, a month, or a year, and shows which day a month or year stands for. */
function DateInput({ label, typed, day, problem, change }: DateInputProps) {
  const [isTyping, setTyping] = useState(false)
  return (
    <TextInput
      label={label}
      placeholder={strings.datePlaceholder}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={day && day !== typed.trim() ? formatDate(day) : undefined}
      // Half a date is not wrong yet.
      error={isTyping && day === undefined ? undefined : problem}
      value={typed}
      onChange={(event) => {
        setTyping(true)
        change(event.currentTarget.value)
      }}
      onBlur={() => setTyping(false)}
      onKeyDown={({ key }) => key === 'Enter' && setTyping(false)}
      autoComplete="off"
      dir="ltr"
    />
  )
}

import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { strings } from '#strings/people.ts'
import { parsePartialDate } from '#web/format/partial-date.ts'
import { DateInput } from '#web/ui/date-input/date-input.tsx'
import { areDatesInOrder, type LinkDraft } from './link-draft.ts'

const MAX_ROLE_LENGTH = 200

interface LinkFieldsProps {
  link: LinkDraft
  change: (link: LinkDraft) => void
  /** Whether the dialog focuses the role. */
  isFirst?: boolean
}

/** The role of a person at a company, and when. */
export function LinkFields({ link, change, isFirst = false }: LinkFieldsProps) {
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
          placeholder={strings.datePlaceholder}
          value={link.from}
          onChange={(from) => change({ ...link, from })}
          others={FIRST_DAY}
          clearable
          isPast
        />
        <DateInput
          label={strings.until}
          placeholder={strings.datePlaceholder}
          value={link.until}
          onChange={(until) => change({ ...link, until })}
          error={areDatesInOrder(link) ? null : strings.untilBeforeFrom}
          others={LAST_DAY}
          clearable
          isPast
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

/** A month or a year stands for its first day, and at the end of a role for its last one. */
const readAs = (edge: 'first' | 'last') => ({
  parse: (text: string) => parsePartialDate(text, edge) ?? undefined,
  notUnderstood: strings.invalidDate,
})
const FIRST_DAY = readAs('first')
const LAST_DAY = readAs('last')

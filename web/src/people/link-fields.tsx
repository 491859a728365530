import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { strings } from '#strings/people.ts'
import { type LinkDraft, problemOfLink } from './link-draft.ts'

const MAX_ROLE_LENGTH = 200
const LAST_DAY = '9999-12-31'

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
        <TextInput
          type="date"
          label={strings.from}
          max={LAST_DAY}
          value={link.from}
          onChange={(event) => change({ ...link, from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={strings.until}
          max={LAST_DAY}
          value={link.until}
          error={problemOfLink(link)}
          onChange={(event) => change({ ...link, until: event.currentTarget.value })}
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

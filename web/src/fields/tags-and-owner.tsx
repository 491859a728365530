import { strings } from '#strings/fields.ts'
import type { RecordField } from '#web/editing/editable-record-field.tsx'
import { OwnerField } from './owner-field.tsx'
import { TagsField } from './tags-field.tsx'

const listOf = (text: string): string[] => (text === '' ? [] : text.split(';'))

/** The tags as text, separated by semicolons, which no tag contains. Enter in the empty input saves. */
export const tagsField: RecordField<{ tags: string[] }, { tags: string[] }> = {
  label: strings.tags,
  editor: {
    kind: 'rendered',
    render: ({ text, error, takesFocus, onType }) => (
      <TagsField
        aria-label={strings.tags}
        description={strings.tagsHelp}
        tags={listOf(text)}
        onChange={(tags) => onType(tags.join(';'))}
        error={error}
        autoFocus={takesFocus}
      />
    ),
  },
  read: ({ tags }) => tags.join(';'),
  changes: (text) => ({ tags: listOf(text) }),
}

/** Choosing saves. */
export const ownerField: RecordField<{ owner_email: string | null }, { owner_email: string | null }> = {
  label: strings.owner,
  editor: {
    kind: 'rendered',
    render: ({ text, error, takesFocus, commit }) => (
      <OwnerField
        aria-label={strings.owner}
        email={text || null}
        onChange={(email) => commit(email ?? '')}
        error={error}
        autoFocus={takesFocus}
        defaultDropdownOpened={takesFocus}
      />
    ),
  },
  read: ({ owner_email }) => owner_email ?? '',
  changes: (text) => ({ owner_email: text || null }),
}

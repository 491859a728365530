import { strings } from '#strings/fields.ts'
import { lazyPart } from '#web/ui/lazy/lazy-part.tsx'
import type { CompanyField } from '../company-fields.ts'

const OwnerField = lazyPart(
  async () => ({ default: (await import('#web/fields/owner-field.tsx')).OwnerField }),
  { isPreloaded: true },
)
const TagsField = lazyPart(
  async () => ({ default: (await import('#web/fields/tags-field.tsx')).TagsField }),
  { isPreloaded: true },
)

const listOf = (text: string): string[] => (text === '' ? [] : text.split(';'))

/** The tags as text, separated by semicolons, which no tag contains. Enter in the empty input saves. */
export const tagsField: CompanyField = {
  label: strings.tags,
  editor: {
    kind: 'rendered',
    part: TagsField,
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
export const ownerField: CompanyField = {
  label: strings.owner,
  editor: {
    kind: 'rendered',
    part: OwnerField,
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

import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_TAG_LENGTH, MAX_TAGS } from '#src/client/limits.ts'
import { strings } from '#strings/fields.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { newText } from '#web/ui/select/new-options.ts'
import {
  SearchableMultiSelect,
  type SearchableMultiSelectProps,
} from '#web/ui/select/searchable-multi-select.tsx'
import { cleanTags } from './tags.ts'

interface TagsFieldProps
  extends Omit<SearchableMultiSelectProps, 'options' | 'value' | 'onChange' | 'create' | 'separators'> {
  tags: readonly string[]
  onChange: (tags: string[]) => void
}

/** As many as the service returns, those of the most companies first. */
const MAX_KNOWN_TAGS = 1000
const SUGGESTIONS = 20

/** Several tags. Existing ones are suggested with their number of companies. */
export function TagsField({ tags, onChange, ...props }: TagsFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const known = useQuery(fieldQueries.tags({ limit: MAX_KNOWN_TAGS }))
  const counts = new Map(known.data?.data.map(({ name, companies }) => [name, companies]))
  return (
    <SearchableMultiSelect
      placeholder={tags.length === 0 ? strings.addTag : ''}
      {...props}
      options={[...new Set([...counts.keys(), ...tags])]}
      isPending={known.isLoading}
      value={tags}
      onChange={(changed) => {
        // The suggestions may cover what follows, such as buttons.
        setOpen(false)
        onChange(cleanTags(changed).slice(0, MAX_TAGS))
      }}
      create={newText}
      separators=",;"
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onClick={() => setOpen(true)}
      limit={SUGGESTIONS}
      maxLength={MAX_TAG_LENGTH}
      error={props.error || (tags.length >= MAX_TAGS && strings.tooManyTags(MAX_TAGS))}
      dir="auto"
      renderOption={({ option }) => (
        <Group justify="space-between" gap="sm" wrap="nowrap" w="100%">
          <Text size="sm" truncate dir="auto">
            {option.label}
          </Text>
          {counts.has(option.value) && (
            <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
              {strings.tagCount(counts.get(option.value) ?? 0)}
            </Text>
          )}
        </Group>
      )}
    />
  )
}

import { Group, TagsInput, type TagsInputProps, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_TAG_LENGTH, MAX_TAGS } from '#src/client/limits.ts'
import { strings } from '#strings/fields.ts'
import { fieldQueries } from '#web/service/field-queries.ts'
import { cleanTags } from './tags.ts'

interface TagsFieldProps
  extends Omit<TagsInputProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange'> {
  tags: readonly string[]
  onChange: (tags: string[]) => void
  /** Called with text that is not a tag yet. */
  onSearch?: (text: string) => void
}

const DEBOUNCE_MS = 150
const SUGGESTIONS = 20

/** Several tags. Existing ones are suggested with their number of companies; Enter adds any other text. */
export function TagsField({ tags, onChange, onSearch, ...props }: TagsFieldProps) {
  const [search, setSearch] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [settled] = useDebouncedValue(search.trim(), DEBOUNCE_MS)
  const found = useQuery(
    fieldQueries.tags({ limit: SUGGESTIONS + MAX_TAGS, ...(settled && { search: settled }) }),
  )
  const counts = new Map(found.data?.data.map(({ name, companies }) => [name, companies]))
  return (
    <TagsInput
      placeholder={tags.length === 0 ? strings.addTag : ''}
      {...props}
      data={[...counts.keys()]}
      value={[...tags]}
      onChange={(changed) => {
        // The suggestions may cover what follows, such as buttons.
        setOpen(false)
        onChange(cleanTags(changed))
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onClick={() => setOpen(true)}
      searchValue={search}
      onSearchChange={(typed) => {
        if (typed !== '') setOpen(true)
        setSearch(typed.slice(0, MAX_TAG_LENGTH))
        onSearch?.(typed)
      }}
      // The service has already filtered, ignoring case and accents.
      filter={({ options }) => options}
      limit={SUGGESTIONS}
      maxTags={MAX_TAGS}
      splitChars={[',', ';']}
      error={props.error || (tags.length >= MAX_TAGS && strings.tooManyTags(MAX_TAGS))}
      dir="auto"
      renderOption={({ option }) => (
        <Group justify="space-between" gap="sm" wrap="nowrap" w="100%">
          <Text size="sm" truncate dir="auto">
            {option.value}
          </Text>
          <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
            {strings.tagCount(counts.get(option.value) ?? 0)}
          </Text>
        </Group>
      )}
    />
  )
}

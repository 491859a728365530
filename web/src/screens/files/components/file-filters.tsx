import { Button, Group, NativeSelect, Switch } from '@mantine/core'
import type { RefObject } from 'react'
import { FILE_TYPES } from '#src/client/limits.ts'
import { strings } from '#strings/files.ts'
import { SearchBox } from '#web/lists/search-box.tsx'
import { AboutFilter } from '#web/notes/about-filter.tsx'
import type { FileFilters } from '../files-search.ts'

interface FileFiltersProps {
  filters: FileFilters
  set: (name: keyof FileFilters, value: string | boolean | undefined) => void
  clear: () => void
  inputRef: RefObject<HTMLInputElement | null>
  /** Moves the focus into the list. */
  enterList: () => void
}

const KINDS = [
  { value: '', label: strings.allKinds },
  ...FILE_TYPES.map((kind) => ({ value: kind as string, label: strings.kindsPlural[kind] })),
]

/** Narrows the list by words, kind, and record. */
export function FileFilterBar({ filters, set, clear, inputRef, enterList }: FileFiltersProps) {
  const { q, kind, about, private: isPrivate } = filters
  return (
    <Group component="search" aria-label={strings.filters} gap="sm">
      <SearchBox
        label={strings.search}
        placeholder={strings.searchPlaceholder}
        group={strings.group}
        q={q}
        search={(text) => set('q', text)}
        inputRef={inputRef}
        enterList={enterList}
      />
      <NativeSelect
        size="xs"
        aria-label={strings.kind}
        value={kind ?? ''}
        onChange={({ currentTarget }) => set('kind', currentTarget.value)}
        data={KINDS}
      />
      <AboutFilter about={about} choose={(id) => set('about', id)} />
      <Switch
        size="sm"
        label={strings.onlyPrivate}
        checked={isPrivate ?? false}
        onChange={({ currentTarget }) => set('private', currentTarget.checked)}
      />
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" size="xs" onClick={clear}>
          {strings.clearFilters}
        </Button>
      )}
    </Group>
  )
}

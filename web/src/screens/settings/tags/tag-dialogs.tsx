import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_TAG_LENGTH } from '#src/client/limits.ts'
import { strings } from '#strings/tags.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { service } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'

export interface TagCount {
  name: string
  companies: number
  people: number
}

export interface OpenedTag {
  kind: 'rename' | 'merge' | 'delete'
  tag: TagCount
}

interface TagDialogProps {
  tag: TagCount
  close: () => void
}

const DEBOUNCE_MS = 200
const SUGGESTIONS = 50

/** Renames, merges, or deletes a tag. Each can be undone in the notice that follows. */
export function TagDialog({ opened: { kind, tag }, close }: { opened: OpenedTag; close: () => void }) {
  if (kind === 'rename') return <RenameTag tag={tag} close={close} />
  return kind === 'merge' ? <MergeTag tag={tag} close={close} /> : <DeleteTag tag={tag} close={close} />
}

/** Refreshes what shows tags. */
function useRefresh(): () => Promise<unknown> {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      ['tags', 'companies', 'people', 'activity'].map((resource) =>
        queryClient.invalidateQueries({ queryKey: [resource] }),
      ),
    )
}

/** The service continues where an interrupted request stopped, so the user can press the same button again. */
function useRename({ name }: TagCount): (to: string) => Promise<unknown> {
  const refresh = useRefresh()
  return async (to) => {
    await service.renameTag({ params: { name }, body: { name: to } })
    await refresh()
  }
}

function RenameTag({ tag, close }: TagDialogProps) {
  const [name, setName] = useState(tag.name)
  const rename = useRename(tag)
  const clean = name.replaceAll(/\s+/g, ' ').trim()
  const [settled] = useDebouncedValue(clean, DEBOUNCE_MS)
  const found = useQuery({
    ...fieldQueries.tags({ limit: SUGGESTIONS, search: settled }),
    enabled: settled !== '' && settled !== tag.name,
  })
  const existing = found.data?.data.find((other) => other.name === clean && other.name !== tag.name)
  const isInvalid = clean.includes(';')
  // Whether the tags would become one is not known yet.
  const isChecking = clean !== settled || found.isFetching
  return (
    <ConfirmDialog
      title={strings.renameTitle(tag.name)}
      confirm={existing ? strings.mergeButton : strings.renameButton}
      isDisabled={clean === '' || clean === tag.name || isInvalid || isChecking}
      act={() => rename(clean)}
      close={close}
    >
      <Stack gap="xs">
        {strings.renameHelp(tag)}
        <TextInput
          label={strings.newName}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={MAX_TAG_LENGTH}
          error={isInvalid && strings.invalidName}
          dir="auto"
          data-autofocus
        />
        <Text size="sm" role="status">
          {existing && strings.willMerge(existing)}
        </Text>
      </Stack>
    </ConfirmDialog>
  )
}

function MergeTag({ tag, close }: TagDialogProps) {
  const [into, setInto] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), DEBOUNCE_MS)
  const rename = useRename(tag)
  const isSearching = settled !== ''
  const found = useQuery(fieldQueries.tags({ limit: SUGGESTIONS, ...(isSearching && { search: settled }) }))
  const others = (found.data?.data ?? []).map(({ name }) => name).filter((name) => name !== tag.name)
  return (
    <ConfirmDialog
      title={strings.mergeTitle(tag.name)}
      confirm={strings.mergeButton}
      isDisabled={into === null}
      act={() => rename(into ?? '')}
      close={close}
    >
      <Stack gap="xs">
        {strings.mergeHelp(tag)}
        <SearchableSelect
          label={strings.mergeInto}
          options={[...new Set([...(into === null ? [] : [into]), ...others])]}
          value={into}
          onChange={(tag) => {
            setInto(tag)
            setSearch('')
          }}
          onType={setSearch}
          isPending={found.isFetching || settled !== search.trim()}
          // The service has already filtered, ignoring case and accents.
          matches={({ value }) => others.includes(value)}
          nothingFoundMessage={strings.noOther}
          dir="auto"
          data-autofocus
        />
      </Stack>
    </ConfirmDialog>
  )
}

function DeleteTag({ tag, close }: TagDialogProps) {
  const refresh = useRefresh()
  const act = async () => {
    await service.removeTag({ params: { name: tag.name } })
    await refresh()
  }
  return (
    <ConfirmDialog
      title={strings.deleteTitle(tag.name)}
      confirm={strings.deleteButton}
      isDangerous
      act={act}
      close={close}
    >
      {strings.deleteHelp(tag)}
    </ConfirmDialog>
  )
}

import { Button, Group, NativeSelect, Paper, Switch } from '@mantine/core'
import { IconNotes } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { NOTE_KINDS } from '#src/client/limits.ts'
import { strings } from '#strings/notes.ts'
import { noteQueries } from '#web/api/note-queries.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { useCan } from '#web/api/use-can.ts'
import { runAction } from '#web/keyboard/actions.ts'
import { NoteItem } from '#web/notes/note-item.tsx'
import { NoteKeys } from '#web/notes/note-keys.tsx'
import { useReplies } from '#web/notes/use-replies.ts'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { RecordFilters } from './components/record-filters.tsx'
import type { NotesSearch } from './notes-search.ts'

const route = getRouteApi('/shell/notes')
const PAGE_SIZE = 20
const KINDS = [
  { value: '', label: strings.allKinds },
  ...NOTE_KINDS.map((kind) => ({ value: kind as string, label: strings.kindsPlural[kind] })),
]
const WHOSE = [
  { value: '', label: strings.everyone },
  { value: 'mine', label: strings.mine },
  { value: 'mentioning', label: strings.mentioningMe },
]

/** `about` finds both whom a note is about and who took part, but notes about any of several records. */
function aboutAndWith(company: string | undefined, person: string | undefined) {
  const about = company ?? person
  if (!about) return {}
  if (!company || !person) return { about: [about] }
  const filter = { or: ['about', 'participant'].map((field) => ({ field, op: 'in', value: [person] })) }
  return { about: [company], filter: JSON.stringify(filter) }
}

/** All notes that the user may see, with search and filters. */
export function NotesScreen() {
  const { page = 1, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const { q, kind, whose, private: isPrivate, company, person } = filters
  const notes = useQuery(
    noteQueries.notes({
      ...onePage(page, PAGE_SIZE),
      ...(q && { search: q }),
      ...(kind && { kind: [kind] }),
      ...(whose === 'mine' && { author_email: ['me'] }),
      ...(whose === 'mentioning' && { mentions: ['me'] }),
      ...(isPrivate && { visibility: ['private' as const] }),
      ...aboutAndWith(company, person),
    }),
  )
  const mayWrite = useCan('write')
  const listed = notes.data?.data ?? []
  // Found replies are listed on their own.
  const repliesOf = useReplies(q ? [] : listed)
  const total = notes.data?.pagination.total
  const isFiltered = Object.keys(filters).length > 0
  const set = (name: keyof typeof filters, value: string | boolean | undefined) => {
    const { [name]: _previous, ...others } = filters
    navigate({ search: value ? ({ ...others, [name]: value } as NotesSearch) : others, replace: true })
  }
  return (
    <Page
      title={strings.title}
      actions={mayWrite && <Button onClick={() => runAction('new-note')}>{strings.newNote}</Button>}
      description={<span role="status">{total === undefined ? '\u00a0' : strings.count(total)}</span>}
    >
      <NoteKeys about={null} />
      <Group component="search" aria-label={strings.filters} gap="sm">
        <SearchField
          value={q ?? ''}
          search={(text) => set('q', text)}
          label={strings.search}
          placeholder={strings.searchPlaceholder}
          clearLabel={strings.clearFilters}
        />
        <NativeSelect
          aria-label={strings.kind}
          value={kind ?? ''}
          onChange={(event) => set('kind', event.currentTarget.value)}
          data={KINDS}
        />
        <NativeSelect
          aria-label={strings.whose}
          value={whose ?? ''}
          onChange={(event) => set('whose', event.currentTarget.value)}
          data={WHOSE}
        />
        <RecordFilters company={company} person={person} choose={set} />
        <Switch
          label={strings.onlyPrivate}
          checked={isPrivate ?? false}
          onChange={({ currentTarget }) => set('private', currentTarget.checked)}
        />
        {isFiltered && (
          <Button variant="subtle" onClick={() => navigate({ search: {}, replace: true })}>
            {strings.clearFilters}
          </Button>
        )}
      </Group>
      {notes.isPending && <SkeletonLines lines={8} height={26} />}
      {notes.isError && !notes.data && <ErrorState error={notes.error} retry={() => notes.refetch()} />}
      {total === 0 && (
        <EmptyState icon={<IconNotes aria-hidden />} title={isFiltered ? strings.noMatch : strings.noneTitle}>
          {isFiltered ? strings.noMatchHelp : strings.noneHelp}
        </EmptyState>
      )}
      {listed.length > 0 && (
        <Paper
          withBorder
          p={{ base: 'sm', sm: 'md' }}
          maw="60rem"
          aria-busy={notes.isPlaceholderData}
          style={{ opacity: notes.isPlaceholderData ? 0.6 : 1 }}
        >
          {listed.map((note) => (
            <NoteItem key={note.id} note={note} replies={repliesOf(note.id)} level={2} />
          ))}
        </Paper>
      )}
      <Pages
        query={notes}
        pages={pageCount(notes.data, PAGE_SIZE)}
        page={page}
        goTo={(chosen, replace = false) =>
          navigate({ search: { ...filters, ...(chosen > 1 && { page: chosen }) }, replace })
        }
      />
    </Page>
  )
}

import { useDebouncedValue } from '@mantine/hooks'
import {
  IconBulb,
  IconChevronRight,
  IconFile,
  IconLayoutKanban,
  IconLock,
  IconNote,
  IconTable,
  IconUser,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/keyboard.ts'
import { strings as notes } from '#strings/notes.ts'
import { useConnection } from '#web/api/connection.ts'
import { queries } from '#web/api/queries.ts'
import type { FoundRecord } from '#web/api/service.ts'
import { aboutName } from '#web/fields/about-name.ts'
import { formatWord } from '#web/format/format.ts'
import { type Action, currentActions } from '#web/keyboard/actions.ts'
import { Keys } from '#web/keyboard/keys.tsx'
import { plainText } from '#web/notes/note-text.ts'
import { CompanyLogo } from '#web/ui/company-logo.tsx'
import { Picker, type PickerGroup, type PickerOption } from '#web/ui/picker.tsx'
import { useSecondsUntil } from '#web/ui/use-seconds-until.ts'
import { useOpenRecord } from './hooks/use-open-record.ts'

const DEBOUNCE_MS = 100

/** Finds records by name, and every action that the screen offers. */
export function Palette({ close }: { close: () => void }) {
  const [query, search] = useState('')
  const [settled] = useDebouncedValue(query.trim(), DEBOUNCE_MS)
  const [actions] = useState(() =>
    currentActions()
      .filter(({ isHidden }) => !isHidden)
      .toReversed(),
  )
  const found = useQuery({ ...queries.foundRecords(settled), enabled: settled !== '' })
  // Results of the previous query stay visible, but only those of the current one can be opened.
  const isCurrent = settled === query.trim() && !found.isPlaceholderData
  const records = settled === '' ? [] : (found.data ?? [])
  const openRecord = useOpenRecord()
  const choose = (value: string) => {
    close()
    const record = records.find(({ id }) => id === value)
    // The dialog gives the focus back first.
    if (record) openRecord(record, settled)
    else setTimeout(() => actions.find(({ id }) => id === value)?.run())
  }
  const isSearching = found.isFetching || !isCurrent
  const seconds = useSecondsUntil(useConnection().retryAt)
  const progress = seconds > 0 ? general.rateLimited(seconds) : strings.searching
  return (
    <Picker
      title={strings.palette}
      placeholder={strings.palettePlaceholder}
      query={query}
      search={search}
      groups={[...actionGroups(actions, query), ...recordGroups(records, isCurrent)]}
      choose={choose}
      close={close}
      nothing={found.isError ? strings.searchFailed : isSearching ? progress : strings.noResults}
    />
  )
}

/** The actions whose names contain every word of the query. */
function actionGroups(actions: readonly Action[], query: string): PickerGroup[] {
  const words = query.toLowerCase().split(/\s+/)
  const matching = actions.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  return Object.entries(Object.groupBy(matching, ({ group }) => group)).map(([label, grouped = []]) => ({
    label,
    options: grouped.map(({ id, label: name, keys, disabled = false }) => ({
      value: id,
      label: name,
      icon: <IconChevronRight size={16} aria-hidden />,
      isDisabled: disabled,
      ...(keys && { hint: <Keys keys={keys.slice(0, 1)} /> }),
    })),
  }))
}

const ICONS: Record<FoundRecord['type'], (record: FoundRecord) => ReactNode> = {
  company: ({ name, logo_url }) => <CompanyLogo name={name} url={logo_url} />,
  person: () => <IconUser size={18} stroke={1.6} aria-hidden />,
  deal: () => <IconLayoutKanban size={18} stroke={1.6} aria-hidden />,
  thesis: () => <IconBulb size={18} stroke={1.6} aria-hidden />,
  view: () => <IconTable size={18} stroke={1.6} aria-hidden />,
  note: () => <IconNote size={18} stroke={1.6} aria-hidden />,
  file: () => <IconFile size={18} stroke={1.6} aria-hidden />,
}

/** The records by type, in the order of the best record of each. */
const recordGroups = (records: readonly FoundRecord[], isCurrent: boolean): PickerGroup[] =>
  Object.values(Object.groupBy(records, ({ type }) => type)).map((grouped) => ({
    label: strings.found[(grouped[0] as FoundRecord).type],
    options: grouped.map((record) => ({ ...optionOf(record), isDisabled: !isCurrent })),
  }))

const optionOf = (record: FoundRecord): PickerOption => {
  const { type, id, name, detail, about = [], visibility } = record
  return {
    value: id,
    label: name,
    icon: ICONS[type](record),
    ...(type === 'note' || type === 'file'
      ? { below: [...about.map(aboutName), foundIn(record)].filter(Boolean).join(' · ') }
      : {
          detail: detail && (type === 'deal' || type === 'view') ? formatWord(detail) : (detail ?? undefined),
        }),
    ...(visibility === 'private' && { hint: <IconLock size={16} role="img" aria-label={notes.isPrivate} /> }),
  }
}

/** What the text of a note says beyond its name: a note without a title is named by its first line. */
function foundIn({ type, name, detail }: FoundRecord): string {
  if (type === 'file') return detail ?? ''
  const passage = plainText(detail ?? '')
  return passage.startsWith(name) ? passage.slice(name.length).trim() : passage
}

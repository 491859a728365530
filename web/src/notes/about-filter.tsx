import { useQuery } from '@tanstack/react-query'
import { ABOUT_TYPES } from '#src/client/limits.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { strings } from '#strings/notes.ts'
import { queries } from '#web/api/queries.ts'
import { aboutName } from '#web/fields/about-name.ts'
import { type FoundRecords, RecordSelect } from '#web/fields/record-select.tsx'
import { useRecordName } from './use-record-name.ts'

interface AboutFilterProps {
  /** The id in the address. */
  about: string | undefined
  choose: (id: string | undefined) => void
}

const WIDTH = { base: '100%', xs: 190 }

/** Filters a list by a company, deal, person, or thesis that its entries are about. */
export function AboutFilter({ about, choose }: AboutFilterProps) {
  const name = useRecordName(about)
  return (
    <RecordSelect
      size="xs"
      aria-label={strings.about}
      placeholder={strings.anyRecord}
      record={about ? { id: about, name: name ?? about } : null}
      choose={(record) => choose(record?.id)}
      error={null}
      useSearch={useRecordSearch}
      w={WIDTH}
    />
  )
}

/** The companies, deals, people, and theses whose names match a text. */
function useRecordSearch(text: string): FoundRecords {
  const found = useQuery({ ...queries.foundRecords(text), enabled: text !== '' })
  const records = (text === '' ? [] : (found.data ?? [])).flatMap(({ type, id, name, detail }) => {
    const aboutType = ABOUT_TYPES.find((known) => known === type)
    if (!aboutType) return []
    return [
      { id, name: aboutName({ type: aboutType, id, name }), detail: detail ?? keyboard.foundOne[aboutType] },
    ]
  })
  return { records, isFetching: found.isFetching, error: found.error }
}

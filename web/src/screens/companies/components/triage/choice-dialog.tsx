import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { COMPANY_STATUSES } from '#src/client/limits.ts'
import { strings as fields } from '#strings/fields.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/keyboard.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { personOptions } from '#web/fields/people.ts'
import { formatWord } from '#web/format/format.ts'
import { Monogram } from '#web/ui/monogram.tsx'
import { Picker, type PickerOption } from '#web/ui/picker.tsx'
import { type Changes, type ShortcutTargets, textOf } from '../../shortcut-targets.ts'

export type ChoiceField = 'status' | 'thesis_id' | 'owner_email'

/** The option that clears the field. */
const NONE = ''

interface ChoiceDialogProps {
  field: ChoiceField
  targets: ShortcutTargets
  /** Saves the choice. */
  save: (changes: Changes) => void
  close: () => void
}

/** Chooses the status, thesis, or owner of one or many companies: by a digit, or by typing. */
export function ChoiceDialog({ field, targets, save, close }: ChoiceDialogProps) {
  const [query, search] = useState('')
  const { options, error } = useOptions(field)
  const title = strings.choiceTitle[field](textOf(targets))
  const wanted = query.trim().toLowerCase()
  const matching = (options ?? []).filter(({ label, detail }) =>
    `${label} ${detail ?? ''}`.toLowerCase().includes(wanted),
  )
  const choose = (value: string) => save({ [field]: value === NONE ? null : value })
  return (
    <Picker
      title={title}
      placeholder={title}
      groups={[{ options: matching }]}
      query={query}
      search={search}
      choose={choose}
      close={close}
      nothing={error ? errorMessage(error) : options ? general.noMatches : general.loading}
      hasDigits
    />
  )
}

interface Options {
  options?: PickerOption[]
  /** Why they cannot be loaded. */
  error?: Error | null
}

/**
 * The options; none until all are known, so that a digit never chooses a different option than it will a moment later.
 */
function useOptions(field: ChoiceField): Options {
  const facets = useQuery({ ...queries.companyFacets({}), enabled: field === 'status' })
  const theses = useQuery({ ...queries.theses(), enabled: field === 'thesis_id' })
  const users = useQuery({ ...queries.allUsers(), enabled: field === 'owner_email' })
  const me = useQuery(queries.me())
  if (field === 'status') {
    // Other statuses that companies use come last, and may arrive later.
    const used = facets.data?.status.flatMap(({ value }) => value ?? []) ?? []
    const statuses = [...new Set([...COMPANY_STATUSES, ...used])]
    return { options: statuses.map((value) => ({ value, label: formatWord(value) })) }
  }
  if (field === 'thesis_id') {
    if (!theses.data) return { error: theses.error }
    const shown = theses.data.data.map(({ id, code, title }) => ({ value: id, label: code, detail: title }))
    return { options: [...shown, { value: NONE, label: strings.noThesis }] }
  }
  if (!users.data || !me.data) return { error: users.error ?? me.error }
  const people = personOptions(users.data, me.data.email, null).map(({ value, label }) => ({
    value,
    label,
    detail: value,
    icon: <Monogram name={label} isPerson />,
  }))
  return { options: [...people, { value: NONE, label: fields.noOwner }] }
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/tasks.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import type { Task } from '#web/api/service.ts'
import { personOptions } from '#web/fields/people.ts'
import { Monogram } from '#web/ui/monogram.tsx'
import { Picker } from '#web/ui/picker.tsx'

interface ReassignDialogProps {
  tasks: readonly Task[]
  reassign: (email: string | null) => void
  close: () => void
}

const NOBODY = ''

/** Chooses who does tasks: by a digit, or by typing. */
export function ReassignDialog({ tasks, reassign, close }: ReassignDialogProps) {
  const [query, search] = useState('')
  const users = useQuery(queries.allUsers())
  const { data: me } = useQuery(queries.me())
  const people = personOptions(users.data ?? [], me?.email, null).map(({ value, label }) => ({
    ...{ value, label, detail: value },
    icon: <Monogram name={label} isPerson />,
  }))
  const options = users.data ? [...people, { value: NOBODY, label: strings.noAssignee, detail: '' }] : []
  const wanted = query.trim().toLowerCase()
  const title = strings.reassignTitle(strings.which(tasks.map((task) => task.title)))
  return (
    <Picker
      title={title}
      placeholder={title}
      groups={[
        {
          options: options.filter(({ label, detail }) => `${label} ${detail}`.toLowerCase().includes(wanted)),
        },
      ]}
      query={query}
      search={search}
      choose={(value) => {
        close()
        reassign(value === NOBODY ? null : value)
      }}
      close={close}
      nothing={users.error ? errorMessage(users.error) : users.data ? general.noMatches : general.loading}
      hasDigits
    />
  )
}

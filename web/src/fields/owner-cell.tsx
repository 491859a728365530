import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { strings } from '#strings/fields.ts'
import { strings as general } from '#strings/general.ts'
import { queries } from '#web/api/queries.ts'
import { useCan } from '#web/api/use-can.ts'
import type { WhichOption } from '#web/ui/select/use-typed-choice.ts'
import { type CellOpening, CellPopover } from './cell-popover.tsx'
import { OwnerField } from './owner-field.tsx'
import { personName } from './people.ts'
import { type CompanyInList, useSaveOneField } from './save-one-field.ts'

const readOwner = ({ owner_email }: CompanyInList): string | null => owner_email

/** The owner of a company in a list, who can be changed in place. Choosing saves. */
export function OwnerCell({ company, ...opening }: { company: CompanyInList } & CellOpening) {
  const mayWrite = useCan('write')
  const users = useQuery({ ...queries.allUsers(), enabled: company.owner_email !== null })
  const { value, isSaving, save } = useSaveOneField(company, readOwner)
  const resolveTyped = useRef<((which: WhichOption) => boolean) | null>(null)
  const name = value === null ? '' : personName(value, users.data)
  const shown = (
    <Text span inherit truncate title={value ?? undefined} c={value === null ? 'dimmed' : undefined}>
      <bdi>{name || general.none}</bdi>
    </Text>
  )
  if (!mayWrite) return shown
  return (
    <CellPopover
      {...opening}
      label={strings.editOwner(company.name, name)}
      isBusy={isSaving}
      onLeave={() => resolveTyped.current?.('only') ?? true}
      editor={(close) => (
        <OwnerField
          label={strings.owner}
          size="xs"
          email={value}
          resolveTyped={resolveTyped}
          onChange={(owner_email) => {
            save({ value: owner_email, changes: { owner_email } })
            close()
          }}
          comboboxProps={{ withinPortal: false }}
          defaultDropdownOpened
          data-autofocus
        />
      )}
    >
      {shown}
    </CellPopover>
  )
}

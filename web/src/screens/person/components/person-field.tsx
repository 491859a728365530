import type { Person, PersonPatch } from '#web/api/service.ts'
import {
  EditableRecordField,
  type RecordField,
  type ShownFieldProps,
} from '#web/editing/editable-record-field.tsx'
import { useSavePerson } from '../save-person.ts'

/** How a person shows one of their fields. */
export type ShownPersonField = ShownFieldProps<Person, PersonPatch>

interface PersonFieldProps extends ShownPersonField {
  person: Person
}

const draftKeyOf = ({ id }: Person): string => `person ${id}`

/** The storage key of the draft of a field. */
export const personDraftKey = (person: Person, { label }: RecordField<Person, PersonPatch>): string =>
  `edit:${draftKeyOf(person)} ${label}`

/** A field of the person, edited in place. */
export function PersonField({ person, ...field }: PersonFieldProps) {
  const saveRecord = useSavePerson(person.id)
  return (
    <EditableRecordField {...field} record={person} draftKey={draftKeyOf(person)} saveRecord={saveRecord} />
  )
}

import type { Person, PersonPatch } from '#web/api/service.ts'
import { EditableRecordField, type ShownFieldProps } from '#web/editing/editable-record-field.tsx'
import { useSavePerson } from '../save-person.ts'

interface PersonFieldProps extends ShownFieldProps<Person, PersonPatch> {
  person: Person
}

/** A field of the person, edited in place. */
export function PersonField({ person, ...field }: PersonFieldProps) {
  const saveRecord = useSavePerson(person.id)
  return (
    <EditableRecordField
      {...field}
      record={person}
      draftKey={`person ${person.id}`}
      saveRecord={saveRecord}
    />
  )
}

import { Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { CustomField, CustomFieldType } from '#src/client/client.ts'
import { CUSTOM_FIELD_TYPES, MAX_FIELD_LABEL_LENGTH } from '#src/client/limits.ts'
import { strings as types } from '#strings/fields.ts'
import { strings } from '#strings/import.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatWord } from '#web/format/format.ts'
import {
  type AssignedColumns,
  fieldOfColumn,
  type Mapping,
  type NewField,
  newFieldOf,
} from '../../mapping.ts'

const NOT_IMPORTED = ''
const CREATE = 'create'
/** The prefix of an option that adds the column to those that the field has. */
const FURTHER = 'further:'

export interface ColumnChoices {
  /** The labels of the built-in fields. */
  fields: Readonly<Record<string, string>>
  /** Whether the records have custom fields. */
  hasCustomFields: boolean
  mapping: Mapping
  assigned: AssignedColumns
  /** The custom fields that exist. */
  customFields: readonly CustomField[]
  /** The fields that the import would create, with the types that the service guessed. */
  newFields: readonly CustomField[]
  /** @param isFurther whether the field keeps the columns that it has */
  assign: (column: string, field: string | null, isFurther?: boolean) => void
  /** Creates a field for a column, or changes it. */
  create: (column: string, changes?: { label?: string; type?: CustomFieldType }) => void
}

/** Chooses the field of a column, or creates one. */
export function FieldChoice({ column, choices }: { column: string; choices: ColumnChoices }) {
  const { fields, mapping, assigned, customFields, newFields, assign, create } = choices
  const mayCreate = useCan('configure') && choices.hasCustomFields
  const field = fieldOfColumn(assigned, column) ?? NOT_IMPORTED
  const newField = newFieldOf(mapping, field)
  const sources = assigned[field] ?? []
  const own = customFields.map(({ key, label }) => ({ value: `custom.${key}`, label }))
  const isKnown =
    field === NOT_IMPORTED || field in fields || own.some(({ value }) => value === field) || newField
  const choose = (value: string) => {
    if (value === CREATE) create(column)
    else if (value.startsWith(FURTHER)) assign(column, value.slice(FURTHER.length), true)
    else assign(column, value || null)
  }
  const further = Object.entries(fields).flatMap(([value, label]) => {
    const [first] = assigned[value] ?? []
    if (first === undefined || value === field) return []
    return [{ value: FURTHER + value, label: strings.furtherColumn(label, first) }]
  })
  return (
    <Stack gap={4}>
      <NativeSelect
        size="xs"
        aria-label={strings.fieldOf(column || strings.unnamedColumn)}
        value={newField ? CREATE : field}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: NOT_IMPORTED, label: strings.doNotImport },
          ...(mayCreate || newField ? [{ value: CREATE, label: strings.createField }] : []),
          ...Object.entries(fields).map(([value, label]) => ({ value, label })),
          ...(own.length > 0 ? [{ group: strings.customFields, items: own }] : []),
          ...(further.length > 0 ? [{ group: strings.furtherColumns, items: further }] : []),
          ...(isKnown ? [] : [{ value: field, label: formatWord(field) }]),
        ]}
        description={sources.length > 1 ? locationOf(column, sources) : undefined}
        inputWrapperOrder={['input', 'description']}
        styles={{
          description: { fontSize: 'var(--mantine-font-size-xs)' },
          input: field === NOT_IMPORTED ? { color: 'var(--mantine-color-dimmed)' } : { fontWeight: 500 },
        }}
      />
      {newField && (
        <NewFieldInputs
          newField={newField}
          guessed={newFields.find(({ key }) => `custom.${key}` === field)?.type}
          change={(changes) => create(column, changes)}
        />
      )}
    </Stack>
  )
}

/** Which column of a field with several is read first. */
const locationOf = (column: string, [first, ...others]: readonly string[]): string =>
  first === column ? strings.readFirst : others.length > 1 ? strings.readNext : strings.readSecond

interface NewFieldInputsProps {
  newField: NewField
  /** The type that the service has guessed; undefined until then. */
  guessed: CustomFieldType | undefined
  change: (changes: { label?: string; type?: CustomFieldType }) => void
}

/** The label and the type of a field to create. Each change checks the whole file again. */
function NewFieldInputs({
  newField: { column, label = column, type },
  guessed,
  change,
}: NewFieldInputsProps) {
  const [typed, setTyped] = useState(label)
  useEffect(() => setTyped(label), [label])
  const shown = type ?? guessed ?? ''
  const commit = () => {
    if (typed.trim() !== '' && typed.trim() !== label) change({ label: typed.trim() })
    else setTyped(label)
  }
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <TextInput
        size="xs"
        aria-label={strings.newFieldLabel(column)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
        maxLength={MAX_FIELD_LABEL_LENGTH}
        dir="auto"
        style={{ flex: '1 1 55%' }}
      />
      <NativeSelect
        size="xs"
        aria-label={strings.newFieldType(column)}
        value={shown}
        onChange={(event) => change({ type: event.currentTarget.value as CustomFieldType })}
        data={[
          ...(shown === '' ? [{ value: '', label: strings.guessing }] : []),
          ...CUSTOM_FIELD_TYPES.map((value) => ({ value, label: types.types[value] })),
        ]}
        style={{ flex: '1 1 45%' }}
      />
    </Group>
  )
}

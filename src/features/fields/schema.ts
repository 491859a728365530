import { type Static, type TProperties, Type } from 'typebox'
import {
  Data,
  ErrorAnswer,
  endpoint,
  IfMatch,
  MAX_JSON_VALUE_BYTES,
  Named,
  Nullable,
  OneOf,
  Patch,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

export const CUSTOM_FIELD_ENTITIES = ['company', 'deal', 'person'] as const
export type CustomFieldEntity = (typeof CUSTOM_FIELD_ENTITIES)[number]

export const CUSTOM_FIELD_TYPES = [
  'text',
  'long_text',
  'number',
  'money',
  'date',
  'boolean',
  'select',
  'multi_select',
  'url',
  'email',
  'user',
] as const
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number]

/** Fields per entity, archived ones included. */
export const MAX_CUSTOM_FIELDS = 200
export const MAX_FIELD_OPTIONS = 200
export const MAX_FIELD_LABEL_LENGTH = 100
export const MAX_FIELD_KEY_LENGTH = 60
export const FIELD_KEY_PATTERN = '^[a-z][a-z0-9_]*$'
/** In UTF-8. */
export const MAX_CUSTOM_BYTES = MAX_JSON_VALUE_BYTES
export const MAX_CUSTOM_TEXT_LENGTH = 500
export const MAX_CUSTOM_LONG_TEXT_LENGTH = 20_000
/** In UTF-8. */
export const MAX_CUSTOM_URL_BYTES = 2000
export const MAX_CUSTOM_NUMBER = 1e15
export const DEFAULT_CURRENCY = 'EUR'

/** The values of a record's custom fields by key. */
export const CustomValues = Type.Record(Type.String(), Type.Unknown(), {
  title: 'CustomValues',
  'x-max-bytes': MAX_CUSTOM_BYTES,
  'x-numbers-checked': true,
  description:
    'Values of custom fields by key. A field without a value is absent. When changing a record, fields that are not sent ' +
    'keep their values, and null clears one.',
})
export type CustomValues = Record<string, unknown>

const label = Type.String({ minLength: 1, maxLength: MAX_FIELD_LABEL_LENGTH, pattern: '\\S' })

const FieldOption = Type.Object({ id: Type.String(), label: Type.String() }, { title: 'FieldOption' })
export type FieldOption = Static<typeof FieldOption>

const properties = {
  id: Type.String({ description: 'fld_…' }),
  entity: OneOf(CUSTOM_FIELD_ENTITIES),
  key: Type.String({ description: 'The key in `custom`. It never changes.' }),
  label: Type.String(),
  type: OneOf(CUSTOM_FIELD_TYPES),
  options: Type.Array(FieldOption, { description: 'The choices of a select or multi_select.' }),
  currency: Nullable(Type.String({ description: 'The currency of a money field, such as EUR.' })),
  required: Type.Boolean({ description: 'Whether new records need a value, and none can be cleared.' }),
  archived: Type.Boolean({ description: 'Whether the values are kept, but cannot be changed.' }),
  updated_at: Timestamp,
}

export const CustomField = Named('CustomField', properties)
export type CustomField = Static<typeof CustomField>

export const customFieldExample: CustomField = {
  id: 'fld_01jw3f8x65n2c4e6g8j0k2m4p6',
  entity: 'company',
  key: 'batch',
  label: 'Batch',
  type: 'select',
  options: [{ id: 'opt_01jw3f8x66p3d5f7h9k1m3n5q7', label: 'Winter 2026' }],
  currency: null,
  required: false,
  archived: false,
  updated_at: '2026-03-02T09:30:00.000Z',
}

const options = Type.Array(
  Strict(
    Type.Object({
      id: Type.Optional(
        Type.String({ maxLength: 100, description: 'The id of an existing option, to keep its values.' }),
      ),
      label,
    }),
  ),
  { maxItems: MAX_FIELD_OPTIONS, description: 'The choices of a select or multi_select, in their order.' },
)
export type OptionInput = Static<typeof options>[number]

const currency = Type.String({
  'x-normalize': 'name',
  pattern: '^[A-Z]{3}$',
  description: `The ISO 4217 code of a money field's currency. The default is ${DEFAULT_CURRENCY}.`,
})

export const NewCustomField = Strict(
  Type.Object(
    {
      entity: OneOf(CUSTOM_FIELD_ENTITIES),
      key: Type.Optional(
        Type.String({
          pattern: FIELD_KEY_PATTERN,
          maxLength: MAX_FIELD_KEY_LENGTH,
          description: 'A lower_snake_case word. The default is made from the label.',
        }),
      ),
      label,
      type: OneOf(CUSTOM_FIELD_TYPES),
      options: Type.Optional(options),
      currency: Type.Optional(currency),
      required: Type.Optional(Type.Boolean({ default: false })),
    },
    {
      title: 'NewCustomField',
      examples: [{ entity: 'company', label: 'Batch', type: 'select', options: [{ label: 'Winter 2026' }] }],
    },
  ),
)
export type NewCustomField = Static<typeof NewCustomField>

const changeable = {
  label,
  options,
  currency: Nullable(currency),
  required: Type.Boolean(),
  archived: Type.Boolean(),
  confirm: Type.Boolean({
    description: 'Removes the values of options that are no longer in `options`. This cannot be undone.',
  }),
} satisfies TProperties

/** Fields that a PATCH ignores: those of the record, and of its entry in the list of all fields. */
export const FIELD_READ_ONLY = [
  ...['id', 'entity', 'key', 'type', 'updated_at'],
  ...['name', 'operators', 'is_sortable', 'has_values', 'removed_options'],
] as const

export const CustomFieldPatch = {
  ...Patch(changeable, FIELD_READ_ONLY),
  title: 'CustomFieldPatch',
  examples: [{ label: 'YC batch' }],
}
export type CustomFieldPatch = Static<typeof CustomFieldPatch>

const path = Type.Object({ id: Type.String({ description: 'The id of a custom field: fld_…' }) })
const tags = ['Fields']

export const createField = endpoint('POST', '/api/fields', {
  operationId: 'createField',
  'x-action': 'configure',
  tags,
  summary: 'Create a custom field',
  description: `Up to ${MAX_CUSTOM_FIELDS} for companies, and as many for deals and for people. The key and the type never change.`,
  body: NewCustomField,
  response: {
    201: Data(CustomField, customFieldExample),
    409: ErrorAnswer('The key or the label is taken, or there are too many fields.'),
  },
})

export const updateField = endpoint('PATCH', '/api/fields/:id', {
  operationId: 'updateField',
  'x-action': 'configure',
  tags,
  summary: 'Change a custom field',
  description:
    'Renaming a label or an option changes no record. `options` replaces all options; those with an id are kept. 409 if an ' +
    'option with values is missing, unless `confirm` is true.',
  headers: IfMatch,
  params: path,
  body: CustomFieldPatch,
  response: {
    200: Data(CustomField, customFieldExample),
    409: ErrorAnswer('The label is taken, or records have the options that are removed.'),
  },
})

export const deleteField = endpoint('DELETE', '/api/fields/:id', {
  operationId: 'deleteField',
  'x-action': 'configure',
  tags,
  summary: 'Delete an archived custom field with its values',
  description:
    'This cannot be undone. 409 says how many values it would remove, unless `confirm` is true. The values are removed in ' +
    'the background.',
  params: path,
  querystring: Strict(
    Type.Object({
      confirm: Type.Optional(Type.Boolean({ description: 'Delete the field although it has values.' })),
    }),
  ),
  response: {
    204: Type.Null({ description: 'The field is deleted.' }),
    409: ErrorAnswer('The field is not archived, or it has values.'),
  },
})

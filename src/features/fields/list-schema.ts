import { type Static, Type } from 'typebox'
import { FIELD_TYPES, OPERATORS } from '#src/platform/filter/schema.ts'
import {
  endpoint,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

/** The kinds of records that filters and sorts work on. */
export const FIELD_ENTITIES = [
  'company',
  'deal',
  'thesis',
  'person',
  'note',
  'decision',
  'task',
  'file',
  'activity',
] as const
export type FieldEntity = (typeof FIELD_ENTITIES)[number]

export const FieldSchema = Named('Field', {
  id: Nullable(Type.String({ description: 'null for a built-in field.' })),
  entity: OneOf(FIELD_ENTITIES),
  key: Type.String(),
  name: Type.String({ description: 'What filters and sorts call the field.' }),
  label: Type.String(),
  type: OneOf(FIELD_TYPES),
  operators: Type.Array(OneOf(OPERATORS), { description: 'The operators that a filter may use.' }),
  is_sortable: Type.Boolean(),
  options: Type.Array(Type.Object({ id: Type.String(), label: Type.String() }), {
    description: 'The known values of a choice.',
  }),
  currency: Nullable(Type.String({ description: 'The currency of a custom money field.' })),
  required: Type.Boolean({ description: 'Whether every record has a value.' }),
  has_values: Nullable(
    Type.Boolean({
      description:
        'Whether any company has a value; true for fields that every record has. null: not known, because the field has no ' +
        'index that tells.',
    }),
  ),
  archived: Type.Boolean(),
  updated_at: Nullable(Timestamp),
})
export type FieldDescription = Static<typeof FieldSchema>

export const fieldExample: FieldDescription = {
  id: null,
  entity: 'company',
  key: 'llm_score_overall',
  name: 'llm_score_overall',
  label: 'Score',
  type: 'number',
  operators: ['eq', 'ne', 'in', 'not_in', 'is_empty', 'is_not_empty', 'lt', 'lte', 'gt', 'gte', 'between'],
  is_sortable: true,
  options: [],
  currency: null,
  required: false,
  has_values: true,
  archived: false,
  updated_at: null,
}

export const FieldsQuery = Strict(
  Type.Object({
    ...pageQuery(1000),
    entity: Type.Optional({ ...OneOf(FIELD_ENTITIES), default: 'company', 'x-normalize': 'word' }),
  }),
)
export type FieldsQuery = Static<typeof FieldsQuery>

export const listFields = endpoint('GET', '/api/fields', {
  operationId: 'listFields',
  'x-action': 'read',
  tags: ['Fields'],
  summary: 'List the fields that records can be filtered and sorted by',
  description: 'With the operators that each allows in a filter.',
  querystring: FieldsQuery,
  response: { 200: Page(FieldSchema, fieldExample) },
})

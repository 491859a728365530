import { type Static, Type } from 'typebox'
import { type Filter, FilterSchema, filterExample, SortSchema } from '#src/platform/filter/schema.ts'
import { UserEmail } from '#src/platform/schema/email-address.ts'
import {
  Named,
  Nullable,
  OneOf,
  Patch,
  pageQuery,
  Strict,
  Timestamp,
  Word,
} from '#src/platform/schema/shapes.ts'

export const VIEW_ENTITIES = ['company', 'deal', 'thesis', 'person'] as const
export type ViewEntity = (typeof VIEW_ENTITIES)[number]
/** How the web app shows each kind of record. */
export const VIEW_LAYOUTS: Readonly<Record<ViewEntity, readonly string[]>> = {
  company: ['table'],
  deal: ['table', 'board'],
  thesis: ['table'],
  person: ['table'],
}
export const VISIBILITIES = ['private', 'shared'] as const
export const MAX_VIEW_NAME_LENGTH = 100
export const MAX_VIEW_COLUMNS = 200
/** The most ids of new records in one response. */
export const MAX_NEW_IDS = 200
export const MAX_COLUMN_WIDTH = 2000
export const MAX_VIEWS_PER_USER = 200
/** Of a view with more records, only records that were created since the last look are new. */
export const MAX_SEEN_RECORDS = 100_000

const id = Type.String({ description: 'view_…' })
export const entity = OneOf(VIEW_ENTITIES)
const filter = Type.Unsafe<Filter | null>({
  anyOf: [FilterSchema, { type: 'null' }],
  description: 'Which records it shows; null: all.',
})
const columns = Type.Array(
  Strict(
    Type.Object(
      {
        field: Type.String({ minLength: 1, maxLength: 200 }),
        width: Type.Optional(
          Nullable(
            Type.Integer({
              minimum: 1,
              maximum: MAX_COLUMN_WIDTH,
              description: 'Pixels; null: the default width.',
            }),
          ),
        ),
        pinned: Type.Optional(Type.Boolean()),
      },
      { title: 'ViewColumn' },
    ),
  ),
  { maxItems: MAX_VIEW_COLUMNS, description: 'In order; empty: the default columns.' },
)

/** What a view shows. */
const content = {
  filter,
  search: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'The search of the list. Companies and people only.',
    }),
  ),
  sort: SortSchema,
  columns,
  layout: Type.String({ ...Word, description: 'How it shows records: table, or for deals also board.' }),
}
const name = Type.String({
  'x-normalize': 'name',
  minLength: 1,
  maxLength: MAX_VIEW_NAME_LENGTH,
  pattern: '\\S',
})
const visibility = OneOf(VISIBILITIES, {
  description: 'private: only its owner sees it. shared: everyone sees it; its owner and admins change it.',
})

export const View = Named('View', {
  id,
  entity,
  name,
  ...content,
  visibility,
  owner_email: Type.String(),
  is_default: Type.Boolean({ description: 'Whether it is your default view for its kind of records.' }),
  may_change: Type.Boolean({ description: 'Whether you may change and delete it.' }),
  missing: Type.Array(
    Type.Object({
      kind: OneOf(['field', 'thesis', 'tag', 'option']),
      name: Type.String({
        description:
          'The name of the field, the id of the thesis, the tag, or for an option the name of its field.',
      }),
      used_in: OneOf(['filter', 'sort', 'columns']),
    }),
    { description: 'What the view uses that does not exist, such as a deleted field.' },
  ),
  applied: Type.Object(
    { filter, sort: SortSchema, columns },
    { description: 'The filter, sort and columns without deleted fields, as lists accept them.' },
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
  updated_by_email: Type.String({ description: 'Who saved it last.' }),
})
export type View = Static<typeof View>

/** What a view is saved with. */
export type ViewContent = Pick<View, keyof typeof content>

const shown = {
  filter: filterExample,
  sort: [{ field: 'llm_score_overall', direction: 'desc' as const, nulls: 'last' as const }],
  columns: [{ field: 'name', width: 240, pinned: true }, { field: 'llm_score_overall' }],
}
export const viewExample: View = {
  id: 'view_01jw3f8x64m1b3d5f7h9j1k3n5',
  entity: 'company',
  name: 'Scored in Germany and France',
  ...shown,
  search: null,
  layout: 'table',
  visibility: 'shared',
  owner_email: 'ada@example.com',
  is_default: false,
  may_change: true,
  missing: [],
  applied: shown,
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
  updated_by_email: 'ada@example.com',
}

export const ViewQuery = Strict(
  Type.Object({
    ...pageQuery(1000),
    entity: Type.Optional({ ...entity, 'x-normalize': 'word' }),
  }),
)
export type ViewQuery = Static<typeof ViewQuery>

export const NewView = Strict(
  Type.Object(
    {
      entity,
      name,
      ...Type.Partial(Type.Object(content)).properties,
      visibility: Type.Optional(OneOf(VISIBILITIES, { default: 'private' })),
    },
    {
      title: 'NewView',
      examples: [{ entity: 'company', name: viewExample.name, ...shown, visibility: 'shared' }],
    },
  ),
)
export type NewView = Static<typeof NewView>

/** Fields that a PATCH ignores. */
export const VIEW_READ_ONLY = [
  ...['id', 'entity', 'is_default', 'may_change', 'missing', 'applied'],
  ...['created_at', 'updated_at', 'updated_by_email'],
] as const

export const ViewPatch = {
  ...Patch({ name, ...content, visibility, owner_email: UserEmail }, VIEW_READ_ONLY),
  title: 'ViewPatch',
  examples: [{ name: 'Scored in Europe' }],
}
export type ViewPatch = Static<typeof ViewPatch>

export const ViewSettings = Named('ViewSettings', {
  entity,
  default_view_id: Nullable(Type.String()),
  view_ids: Type.Array(Type.String(), { description: 'The views that you have put in order.' }),
})
export type ViewSettings = Static<typeof ViewSettings>

export const settingsExample: ViewSettings = {
  entity: 'company',
  default_view_id: null,
  view_ids: [viewExample.id],
}

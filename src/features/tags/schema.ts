import { type Static, Type } from 'typebox'
import { Tag } from '#src/features/companies/tag-schema.ts'
import {
  Data,
  endpoint,
  filterValue,
  Named,
  Nullable,
  Page,
  pageQuery,
  readOnlyFields,
  Strict,
} from '#src/platform/schema/shapes.ts'

export const TagCount = Named('TagCount', {
  name: Type.String(),
  companies: Type.Integer({ description: 'The number of companies that have the tag.' }),
  people: Type.Integer({ description: 'The number of people who have the tag.' }),
})
export type TagCount = Static<typeof TagCount>

export const TagQuery = Strict(
  Type.Object({
    ...pageQuery(1000),
    search: filterValue({ description: 'Text in the name. Case and accents are ignored.' }),
  }),
)
export type TagQuery = Static<typeof TagQuery>

export const TagRenamed = Named('TagRenamed', {
  name: Type.String(),
  updated: Type.Integer({ description: 'The number of companies and people that were changed.' }),
  action_id: Nullable(
    Type.String({
      description: 'POST /api/actions/:id/undo reverts the change. null if nothing was changed.',
    }),
  ),
})
export type TagRenamed = Static<typeof TagRenamed>

const TagPath = Type.Object({ name: Type.String({ description: 'The name of a tag, percent-encoded.' }) })
const tags = ['Tags']

export const listTags = endpoint('GET', '/api/tags', {
  operationId: 'listTags',
  'x-action': 'read',
  tags,
  summary: 'List tags',
  description: 'Most used first. A tag exists while a company or a person has it.',
  querystring: TagQuery,
  response: { 200: Page(TagCount, { name: 'Automation', companies: 408, people: 3 }) },
})

export const renameTag = endpoint('PATCH', '/api/tags/:name', {
  operationId: 'renameTag',
  'x-action': 'write',
  tags,
  summary: 'Rename a tag, or merge it with another',
  description:
    'Replaces the tag on all companies and people that have it. If one has a tag with the new name, the two become one. An ' +
    'interrupted request can be repeated to continue.',
  'x-idempotency': 'resumable',
  params: TagPath,
  body: Strict(
    Type.Object(
      { name: Tag, ...readOnlyFields(['companies', 'people', 'updated', 'action_id']) },
      { title: 'TagPatch', examples: [{ name: 'Robotics' }] },
    ),
  ),
  response: {
    200: Data(TagRenamed, {
      name: 'Robotics',
      updated: 411,
      action_id: 'ax_01jw3f8x64m1b3d5f7h9j1k3n5',
    }),
  },
})

export const removeTag = endpoint('DELETE', '/api/tags/:name', {
  operationId: 'removeTag',
  'x-action': 'write',
  tags,
  summary: 'Remove a tag from all companies and people',
  description: 'An interrupted request can be repeated to continue.',
  'x-idempotency': 'resumable',
  params: TagPath,
  response: { 204: Type.Null({ description: 'Done.' }) },
})

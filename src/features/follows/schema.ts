import { type Static, Type } from 'typebox'
import { idPath } from '#src/features/trash/schema.ts'
import { Data, endpoint, Named, Nullable, OneOf } from '#src/platform/schema/shapes.ts'

export const FOLLOWED_TYPES = ['company', 'deal', 'person', 'thesis'] as const
export type FollowedType = (typeof FOLLOWED_TYPES)[number]

export const FOLLOW_REASONS = ['chosen', 'owner', 'assigned', 'mentioned'] as const
export type FollowReason = (typeof FOLLOW_REASONS)[number]

export const Follow = Named('Follow', {
  following: Type.Boolean({ description: 'Whether you follow it.' }),
  reason: Nullable(
    OneOf(FOLLOW_REASONS, {
      description:
        'Why you follow it: you chose to, you own it, a task about it is assigned to you, or someone mentioned you in a note about it. null: you do not follow it.',
    }),
  ),
  followers: Type.Array(Type.String(), { description: 'All who follow it: email addresses.' }),
})
export type Follow = Static<typeof Follow>

const example: Follow = {
  following: true,
  reason: 'chosen',
  followers: ['ada@example.com', 'ben@example.com'],
}

const response = { 200: Data(Follow, example) }
const tags = ['Notifications']

/** The three endpoints of one kind of record. */
const followEndpoints = <const Name extends string, const Path extends string>(
  name: Name,
  path: Path,
  what: string,
  id: string,
  also = '',
) => {
  const params = idPath(`The id of a ${what}: ${id}`)
  return {
    get: endpoint('GET', path, {
      operationId: `get${name}Follow`,
      'x-action': 'read',
      tags,
      summary: `See who follows a ${what}`,
      description: `Whether you follow it, and who else does.${also}`,
      params,
      response,
    }),
    put: endpoint('PUT', path, {
      operationId: `put${name}Follow`,
      'x-action': 'account',
      tags,
      summary: `Follow a ${what}`,
      description: 'From now on you are notified of what happens to it. Viewers may follow too.',
      params,
      response,
    }),
    remove: endpoint('DELETE', path, {
      operationId: `delete${name}Follow`,
      'x-action': 'account',
      tags,
      summary: `Stop following a ${what}`,
      description:
        'Nothing makes you follow it again but `PUT`, also if you own it, or if someone mentions you in a note about it.',
      params,
      response,
    }),
  } as const
}

export const companyFollow = followEndpoints(
  'Company',
  '/api/companies/:id/follow',
  'company',
  'cmp_…',
  ' Who follows a company is also notified of its deals.',
)
export const dealFollow = followEndpoints('Deal', '/api/dealflow/:id/follow', 'deal', 'df_…')
export const personFollow = followEndpoints('Person', '/api/people/:id/follow', 'person', 'per_…')
export const thesisFollow = followEndpoints('Thesis', '/api/theses/:id/follow', 'thesis', 'th_…')

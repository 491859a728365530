import { type Static, Type } from 'typebox'
import { userFilter } from '#src/features/sessions/schema.ts'
import { ROLES, SCOPES } from '#src/platform/http/security/permissions.ts'
import {
  Data,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

export const MAX_KEY_NAME_LENGTH = 100
/** Valid keys that a user may have. */
export const MAX_KEYS_PER_USER = 100
/** How long a key is valid without `expires_at`. */
export const DEFAULT_KEY_DAYS = 90

const name = Type.String({
  'x-normalize': 'name',
  minLength: 1,
  maxLength: MAX_KEY_NAME_LENGTH,
  pattern: '\\S',
  description: 'What the key is for. Not only spaces.',
})
const scopes = Type.Array(OneOf(SCOPES), {
  minItems: 1,
  maxItems: 20,
  description:
    'What the key may be used for. `worker` stands for the AI worker and needs an admin; `admin` manages sessions and keys, and for admins also users.',
})
const role = OneOf(ROLES)

export const ApiKey = Named('ApiKey', {
  id: Type.String(),
  name: Type.String(),
  user_email: Type.String({ description: 'The owner.' }),
  prefix: Type.String({ description: 'The first characters of the key.' }),
  scopes,
  role: Type.Unsafe<Static<typeof role>>({
    ...role,
    description: 'The key never has more permissions than this role, nor than its owner has at the moment.',
  }),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  last_used_address: Nullable(Type.String({ description: 'An IP address.' })),
})
export type ApiKey = Static<typeof ApiKey>

const keyExample: ApiKey = {
  id: 'key_01jw3f8x5zfq2v5n6k7m8p9r0s',
  name: 'Nightly export',
  user_email: 'ada@example.com',
  prefix: 'dp_8fK2q',
  scopes: ['read', 'export'],
  role: 'member',
  created_at: '2026-03-01T08:00:00.000Z',
  expires_at: '2026-05-30T08:00:00.000Z',
  last_used_at: '2026-03-02T02:00:00.000Z',
  last_used_address: '203.0.113.7',
}

export const NewApiKey = Strict(
  Type.Object(
    {
      name,
      scopes,
      role: Type.Optional(
        Type.Unsafe<Static<typeof role>>({ ...role, description: 'The default is your own role.' }),
      ),
      expires_at: Type.Optional(
        Type.Unsafe<string | null>({
          ...Nullable(Timestamp),
          description: `In the future; null: never. The default is in ${DEFAULT_KEY_DAYS} days.`,
        }),
      ),
    },
    { title: 'NewApiKey', examples: [{ name: 'Nightly export', scopes: ['read', 'export'] }] },
  ),
)
export type NewApiKey = Static<typeof NewApiKey>

const CreatedApiKey = Named('CreatedApiKey', {
  ...ApiKey.properties,
  key: Type.String({ description: 'The key. It is not shown again.' }),
})

const tags = ['Sessions and API keys']

export const KeyQuery = Strict(Type.Object({ ...userFilter, ...pageQuery(1000) }))

export const createKey = endpoint('POST', '/api/keys', {
  operationId: 'createKey',
  'x-idempotency': 'none',
  'x-action': 'credentials',
  tags,
  summary: 'Create an API key',
  description:
    'Send the key as `Authorization: Bearer dp_…`. A key that creates another cannot give it more scopes, a higher role or ' +
    `a longer life than its own. A user may have ${MAX_KEYS_PER_USER} valid keys. 401 without a user.`,
  body: NewApiKey,
  response: {
    201: Data(CreatedApiKey, {
      ...keyExample,
      last_used_at: null,
      last_used_address: null,
      key: 'dp_8fK2qLw0Zr5TnB1yXc7VdE4hJ9sMaG2U9iyQ',
    }),
  },
})

export const listKeys = endpoint('GET', '/api/keys', {
  operationId: 'listKeys',
  'x-action': 'credentials',
  tags,
  summary: 'List your API keys',
  description:
    'Newest first, expired keys included, revoked ones not; last_used_at is exact to the minute. The keys themselves are not stored. 401 without a user.',
  querystring: KeyQuery,
  response: { 200: Page(ApiKey, keyExample) },
})

export const revokeKey = endpoint('DELETE', '/api/keys/:id', {
  operationId: 'revokeKey',
  'x-idempotency': 'resumable',
  'x-action': 'credentials',
  tags,
  summary: 'Revoke an API key',
  description:
    'From then on, it is rejected with a 401, within a second in every process. It cannot be restored.',
  params: Type.Object({ id: Type.String({ description: 'The id of a key: key_…' }) }),
  response: { 204: Type.Null({ description: 'Done.' }) },
})

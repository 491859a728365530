import { type Static, Type } from 'typebox'
import {
  Data,
  EmailAddress,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Page,
  pageQuery,
  readOnlyFields,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

export const VIEW_MODES = ['comfortable', 'compact'] as const

/** Of all preferences of a user together. */
export const MAX_PREFERENCE_KEYS = 64
export const MAX_PREFERENCES_BYTES = 16 * 1024

const preferences = Type.Object({
  view_mode: OneOf(VIEW_MODES),
  notifications_enabled: Type.Boolean(),
})
type Known = Static<typeof preferences>
/** Further keys belong to clients, which may keep any JSON there. */
interface FurtherKeys {
  [key: string]: unknown
}
export type Preferences = Known & FurtherKeys
export type PreferencesPatch = Partial<Known> & FurtherKeys

const Preferences = Type.Unsafe<Preferences>({
  ...preferences,
  title: 'Preferences',
  additionalProperties: { description: 'A preference that a client has added: any JSON.' },
})
const PreferencesPatch = Type.Unsafe<PreferencesPatch>({
  ...Type.Partial(preferences),
  title: 'PreferencesPatch',
  additionalProperties: { description: 'A preference of the client’s own: any JSON; null removes it.' },
  description: `With those already stored, up to ${MAX_PREFERENCE_KEYS} keys and ${MAX_PREFERENCES_BYTES} bytes of JSON.`,
})

export const defaultPreferences: Preferences = { view_mode: 'comfortable', notifications_enabled: true }

export const UserRecord = Named('User', {
  email: Type.String(),
  name: Nullable(
    Type.String({
      description:
        'As the identity provider gives it at each sign-in; until then derived from the email address.',
    }),
  ),
  picture: Nullable(
    Type.String({ description: 'An address, as the identity provider says at each sign-in.' }),
  ),
  role: Type.String({ description: 'A lower_snake_case word. Known: member, analyst, partner, admin.' }),
  preferences: Preferences,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type UserRecord = Static<typeof UserRecord>

export const exampleUser: UserRecord = {
  email: 'ada@example.com',
  name: 'Ada Beck',
  picture: 'https://people.example.com/ada.jpg',
  role: 'partner',
  preferences: defaultPreferences,
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-03-01T08:00:00.000Z',
}

/** What a user's reader may send back unchanged. */
export const USER_READ_ONLY = ['email', 'name', 'picture', 'role', 'created_at', 'updated_at'] as const

export const UserPatch = Strict(
  Type.Unsafe<{ preferences?: PreferencesPatch }>(
    Type.Object(
      { preferences: Type.Optional(PreferencesPatch), ...readOnlyFields(USER_READ_ONLY) },
      { title: 'UserPatch', examples: [{ preferences: { view_mode: 'compact' } }] },
    ),
  ),
)
export type UserPatch = Static<typeof UserPatch>

const path = Type.Object({ email: EmailAddress })
const tags = ['Users']

export const UserQuery = Strict(Type.Object(pageQuery(1000)))
export type UserQuery = Static<typeof UserQuery>

export const listUsers = endpoint('GET', '/api/users', {
  operationId: 'listUsers',
  tags,
  summary: 'List users',
  description: 'By e-mail address. Who has never signed in and was never looked up is not there.',
  querystring: UserQuery,
  response: { 200: Page(UserRecord, exampleUser) },
})

export const getUser = endpoint('GET', '/api/users/:email', {
  operationId: 'getUser',
  tags,
  summary: 'Read a user',
  description: 'A user who does not exist yet is created.',
  params: path,
  response: { 200: Data(UserRecord, exampleUser) },
})

export const updateUser = endpoint('PATCH', '/api/users/:email', {
  operationId: 'updateUser',
  tags,
  summary: "Change a user's preferences",
  description:
    'Preferences that are not named stay as they are. Clients may add keys of their own, and remove them with null. ' +
    'In production each user may change only their own.',
  params: path,
  body: UserPatch,
  response: { 200: Data(UserRecord, exampleUser) },
})

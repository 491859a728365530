import { type Static, Type } from 'typebox'
import { ROLES } from '#src/platform/http/security/permissions.ts'
import { EmailAddress } from '#src/platform/schema/email-address.ts'
import {
  Data,
  ErrorAnswer,
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

/** Limits for all preferences of a user together. */
export const MAX_PREFERENCE_KEYS = 64
export const MAX_PREFERENCES_BYTES = 16 * 1024

const timeZone = Type.String({
  format: 'time-zone',
  description:
    "The IANA time zone whose days count in this person's filters, such as Europe/Berlin. By default, that of the setting TIME_ZONE.",
})
const preferences = Type.Object({
  view_mode: OneOf(VIEW_MODES),
  notifications_enabled: Type.Boolean(),
  time_zone: Type.Optional(timeZone),
})
type KnownPreferences = Static<typeof preferences>
/** Clients may store any JSON under other keys. */
interface ClientPreferences {
  [key: string]: unknown
}
export type Preferences = KnownPreferences & ClientPreferences
export type PreferencesPatch = Partial<Omit<KnownPreferences, 'time_zone'>> & {
  time_zone?: string | null
} & ClientPreferences

const Preferences = Type.Unsafe<Preferences>({
  ...preferences,
  title: 'Preferences',
  additionalProperties: { description: 'A preference added by a client: any JSON.' },
})
const PreferencesPatch = Type.Unsafe<PreferencesPatch>({
  ...Type.Object({ ...Type.Partial(preferences).properties, time_zone: Type.Optional(Nullable(timeZone)) }),
  title: 'PreferencesPatch',
  additionalProperties: { description: 'A preference added by a client: any JSON; null removes it.' },
  description: `Together with the stored preferences, up to ${MAX_PREFERENCE_KEYS} keys and ${MAX_PREFERENCES_BYTES} bytes of JSON.`,
})

export const defaultPreferences: Preferences = { view_mode: 'comfortable', notifications_enabled: true }

export const UserRecord = Named('User', {
  email: Type.String(),
  name: Nullable(
    Type.String({
      description:
        'Updated from the identity provider at each sign-in. Until then, derived from the email address.',
    }),
  ),
  picture: Nullable(
    Type.String({ description: 'A URL, updated from the identity provider at each sign-in.' }),
  ),
  role: Type.String({
    description: `One of ${ROLES.join(', ')}. Older data may contain other words, which count as member.`,
  }),
  disabled: Type.Boolean({ description: 'Whether the user is locked out.' }),
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
  disabled: false,
  preferences: defaultPreferences,
  created_at: '2026-03-01T08:00:00.000Z',
  updated_at: '2026-03-01T08:00:00.000Z',
}

/** Fields that a PATCH ignores. */
export const USER_READ_ONLY = [
  ...['email', 'name', 'picture', 'created_at', 'updated_at'],
  ...['signed_in_by', 'session_expires_at', 'permissions'],
] as const

export const UserPatch = Strict(
  Type.Unsafe<{ preferences?: PreferencesPatch; role?: string; disabled?: boolean }>(
    Type.Object(
      {
        preferences: Type.Optional(PreferencesPatch),
        role: Type.Optional(
          Type.String({ maxLength: 100, description: `One of ${ROLES.join(', ')}. Only admins change it.` }),
        ),
        disabled: Type.Optional(
          Type.Boolean({
            description:
              'Locks the user out: ends their sessions, and refuses their API keys, tokens and sign-ins. Only admins change it.',
          }),
        ),
        ...readOnlyFields(USER_READ_ONLY),
      },
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
  'x-action': 'read',
  tags,
  summary: 'List users',
  description:
    'Ordered by email address. A user exists after their first sign-in, or after they were first read.',
  querystring: UserQuery,
  response: { 200: Page(UserRecord, exampleUser) },
})

export const getUser = endpoint('GET', '/api/users/:email', {
  operationId: 'getUser',
  'x-action': 'read',
  tags,
  summary: 'Read a user',
  description: 'Creates the user if there is none with this email address.',
  params: path,
  response: { 200: Data(UserRecord, exampleUser) },
})

export const updateUser = endpoint('PATCH', '/api/users/:email', {
  operationId: 'updateUser',
  'x-idempotency': 'resumable',
  'x-action': 'account',
  tags,
  summary: "Change a user's preferences, role, or access",
  description:
    'Preferences that are not sent keep their values. Clients may add their own keys, and remove them with null. Where ' +
    'roles are enforced, users may change only their own preferences; admins may also change those of others, and their roles and access. ' +
    'A new role takes effect within a second. 409 if no admin would be left who can sign in.',
  params: path,
  body: UserPatch,
  response: {
    200: Data(UserRecord, exampleUser),
    409: ErrorAnswer('This is the last admin who can sign in and is not disabled.'),
  },
})

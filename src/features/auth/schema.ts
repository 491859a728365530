import { Type } from 'typebox'
import { exampleUser, UserRecord } from '#src/features/users/schema.ts'
import {
  Data,
  ErrorAnswer,
  endpoint,
  Named,
  Nullable,
  OneOf,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

const tags = ['Authentication']

export const signIn = endpoint('GET', '/api/auth/idp', {
  operationId: 'signIn',
  tags,
  'x-open': true,
  summary: 'Sign in through the identity provider',
  description: `For browsers. Without \`code\` it sends the browser to the identity provider, which sends it back here
with one; then it sets the cookie \`service_session\` and sends the browser on to \`return_to\`, or to \`/home\`. What
goes wrong is told as a page to browsers and as JSON to others: 400 an answer that belongs to no sign-in of this browser (any more),
401 one that was cancelled, already used or cannot be trusted, 403 an e-mail address that may not sign in, 503 no provider.`,
  querystring: Type.Object({
    return_to: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'A path of this service to go on to, such as /home.',
      }),
    ),
    choose_account: Type.Optional(
      Type.Boolean({
        description: 'Asks the provider to let the person choose an account, or to sign in anew.',
      }),
    ),
    code: Type.Optional(Type.String({ description: "The provider's: what it gives for the sign-in." })),
    state: Type.Optional(Type.String({ description: "The provider's: to which sign-in this belongs." })),
    error: Type.Optional(Type.String({ description: "The provider's: why there is no code." })),
  }),
  response: {
    302: Type.Null({ description: 'On to the identity provider, or back to the service.' }),
    401: ErrorAnswer('The sign-in was cancelled, already used or cannot be trusted.'),
  },
})

export const signOut = endpoint('POST', '/api/auth/logout', {
  operationId: 'signOut',
  tags,
  'x-open': true,
  'x-reads-only': true,
  summary: 'Sign out',
  description: 'Removes the session cookie. The client then goes to /; a form of a page is sent there.',
  response: {
    200: Data(Type.Object({ signed_out: Type.Boolean() }), { signed_out: true }),
    303: Type.Null({ description: 'To /, for a browser that shows a page.' }),
  },
})

const CurrentUser = Named('CurrentUser', {
  ...UserRecord.properties,
  signed_in_by: OneOf(['session', 'token', 'gateway', 'header'], {
    description:
      'By what the request says who is asking: the session cookie, a bearer token, the access gateway, or the header X-User-Email.',
  }),
  session_expires_at: Nullable(Timestamp),
})

export const getCurrentUser = endpoint('GET', '/api/auth/me', {
  operationId: 'getCurrentUser',
  tags,
  summary: 'Read the user who is asking',
  description: 'Answers 401 without a user, in development too.',
  response: {
    200: Data(CurrentUser, {
      ...exampleUser,
      signed_in_by: 'session',
      session_expires_at: '2026-03-08T08:00:00.000Z',
    }),
  },
})

const AuthenticationStatus = Named('AuthenticationStatus', {
  status: OneOf(['ok', 'degraded'], { description: 'degraded: the identity provider does not answer.' }),
  mode: OneOf(['production', 'development'], {
    description: 'In development the header X-User-Email says who is asking.',
  }),
  identity_provider: OneOf(['reachable', 'unreachable', 'not_configured'], {
    description: 'Whether people can sign in now.',
  }),
  access_gateway: OneOf(['configured', 'not_configured'], {
    description: 'Whether an access gateway may say who is asking.',
  }),
})

export const getAuthenticationStatus = endpoint('GET', '/api/auth/status', {
  operationId: 'getAuthenticationStatus',
  tags,
  'x-open': true,
  'x-rate-class': 'none',
  summary: 'Read whether signing in works',
  description: 'Answers without a user.',
  response: {
    200: Data(AuthenticationStatus, {
      status: 'ok',
      mode: 'production',
      identity_provider: 'reachable',
      access_gateway: 'not_configured',
    }),
  },
})

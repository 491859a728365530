import { Type } from 'typebox'
import { exampleUser, UserRecord } from '#src/features/users/schema.ts'
import { ACTIONS } from '#src/platform/http/security/permissions.ts'
import { Data, ErrorPage, endpoint, Named, Nullable, OneOf, Timestamp } from '#src/platform/schema/shapes.ts'

const tags = ['Authentication']

export const signIn = endpoint('GET', '/api/auth/idp', {
  operationId: 'signIn',
  tags,
  'x-open': true,
  summary: 'Sign in through the identity provider',
  description: `For browsers. Without \`code\`, it redirects to the identity provider, which redirects back here with one.
It then sets the cookie \`service_session\` and redirects to \`return_to\`, or to \`/home\`. Errors are a page in
browsers and JSON elsewhere.`,
  querystring: Type.Object({
    return_to: Type.Optional(
      Type.String({
        description:
          'The path on this service to redirect to, such as /home. The web app keeps longer ones than 2,000 characters in the browser; here they lead to /home.',
      }),
    ),
    choose_account: Type.Optional(
      Type.Boolean({
        description: 'Whether the provider should ask which account to use, even if one is signed in.',
      }),
    ),
    code: Type.Optional(Type.String({ description: 'Set by the provider: the authorization code.' })),
    state: Type.Optional(
      Type.String({ description: 'Set by the provider: the sign-in that this callback belongs to.' }),
    ),
    error: Type.Optional(Type.String({ description: 'Set by the provider: why there is no code.' })),
  }),
  response: {
    302: Type.Null({ description: 'To the identity provider, or to the page after the sign-in.' }),
    400: ErrorPage('The callback matches no current sign-in of this browser, or a parameter is not valid.'),
    401: ErrorPage('The sign-in was canceled, already used or cannot be verified.'),
    403: ErrorPage('The email address may not sign in.'),
    429: ErrorPage('Too many attempts to sign in. Wait for the number of seconds in `Retry-After`.'),
    500: ErrorPage('An unexpected error.'),
    503: ErrorPage('There is no identity provider, or it cannot be reached.'),
  },
})

export const signOut = endpoint('POST', '/api/auth/logout', {
  operationId: 'signOut',
  tags,
  'x-open': true,
  'x-reads-only': true,
  summary: 'Sign out',
  description:
    'Ends the session and removes its cookie. Clients should then go to /; HTML forms are redirected there.',
  response: {
    200: Data(Type.Object({ signed_out: Type.Boolean() }), { signed_out: true }),
    303: Type.Null({ description: 'To /, if the request prefers HTML.' }),
  },
})

const CurrentUser = Named('CurrentUser', {
  ...UserRecord.properties,
  signed_in_by: OneOf(['session', 'token', 'key', 'gateway', 'header'], {
    description:
      'How the request was authenticated: session cookie, bearer token, API key, access gateway, or X-User-Email header.',
  }),
  session_expires_at: Nullable(Timestamp),
  permissions: Type.Array(OneOf(ACTIONS), {
    description: 'The actions that this credential may take now, as in `x-action`.',
  }),
})

export const getCurrentUser = endpoint('GET', '/api/auth/me', {
  operationId: 'getCurrentUser',
  'x-action': 'read',
  tags,
  summary: 'Read the current user',
  description: '401 without a user, even in development.',
  response: {
    200: Data(CurrentUser, {
      ...exampleUser,
      signed_in_by: 'session',
      session_expires_at: '2026-03-08T08:00:00.000Z',
      permissions: ['read', 'export', 'write'],
    }),
  },
})

const AuthenticationStatus = Named('AuthenticationStatus', {
  status: OneOf(['ok', 'degraded'], { description: 'degraded: the identity provider does not respond.' }),
  mode: OneOf(['production', 'development'], {
    description: 'In development, the header X-User-Email identifies the user.',
  }),
  identity_provider: OneOf(['reachable', 'unreachable', 'not_configured'], {
    description: 'Whether users can sign in now.',
  }),
  access_gateway: OneOf(['configured', 'not_configured'], {
    description: 'Whether an access gateway may identify users.',
  }),
})

export const getAuthenticationStatus = endpoint('GET', '/api/auth/status', {
  operationId: 'getAuthenticationStatus',
  tags,
  'x-open': true,
  'x-rate-class': 'none',
  summary: 'Check whether sign-in works',
  description: 'Needs no user.',
  response: {
    200: Data(AuthenticationStatus, {
      status: 'ok',
      mode: 'production',
      identity_provider: 'reachable',
      access_gateway: 'not_configured',
    }),
  },
})

import { type Static, Type } from 'typebox'
import { EmailAddress } from '#src/platform/schema/email-address.ts'
import { endpoint, Named, Nullable, Page, pageQuery, Strict, Timestamp } from '#src/platform/schema/shapes.ts'

export const Session = Named('Session', {
  id: Type.String(),
  user_email: Type.String(),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  expires_at: Timestamp,
  address: Nullable(Type.String({ description: 'The IP address that last used it.' })),
  browser: Nullable(Type.String({ description: 'The User-Agent that last used it.' })),
  current: Type.Boolean({ description: 'Whether this request uses it.' }),
})
export type Session = Static<typeof Session>

const sessionExample: Session = {
  id: 'ses_01jw3f8x5zfq2v5n6k7m8p9r0s',
  user_email: 'ada@example.com',
  created_at: '2026-03-01T08:00:00.000Z',
  last_seen_at: '2026-03-02T09:30:00.000Z',
  expires_at: '2026-03-08T08:00:00.000Z',
  address: '203.0.113.7',
  browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
  current: true,
}

const tags = ['Sessions and API keys']

/** Whose sessions or keys; the caller's by default. */
export const userFilter = {
  user_email: Type.Optional(
    Type.Unsafe<string>({
      ...EmailAddress,
      description: 'Another user, which needs permission to manage users. The default is you.',
    }),
  ),
}

export const SessionQuery = Strict(Type.Object({ ...userFilter, ...pageQuery(1000) }))
export type SessionQuery = Static<typeof SessionQuery>

const NO_CONTENT = Type.Null({ description: 'Done.' })

export const listSessions = endpoint('GET', '/api/sessions', {
  operationId: 'listSessions',
  'x-action': 'credentials',
  tags,
  summary: 'List your sessions',
  description:
    'The sessions that are still valid, newest first; last_seen_at is exact to the minute. Bearer tokens and access gateways have none. 401 without a user.',
  querystring: SessionQuery,
  response: { 200: Page(Session, sessionExample) },
})

export const endSession = endpoint('DELETE', '/api/sessions/:id', {
  operationId: 'endSession',
  'x-idempotency': 'resumable',
  'x-action': 'credentials',
  tags,
  summary: 'End a session',
  description:
    'From then on, its cookie is rejected with a 401, and its event streams close, within a second in every process.',
  params: Type.Object({ id: Type.String({ description: 'The id of a session: ses_…' }) }),
  response: { 204: NO_CONTENT },
})

export const endSessions = endpoint('DELETE', '/api/sessions', {
  operationId: 'endSessions',
  'x-idempotency': 'resumable',
  'x-action': 'credentials',
  tags,
  summary: 'End all of your sessions except the current one',
  description: 'With `user_email`, ends all sessions of that user. 401 without a user.',
  querystring: Strict(Type.Object(userFilter)),
  response: { 204: NO_CONTENT },
})

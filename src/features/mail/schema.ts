import { type Static, Type } from 'typebox'
import { NOTIFICATION_KINDS } from '#src/features/notifications/schema.ts'
import { Data, ErrorPage, endpoint, Named, OneOf, Strict } from '#src/platform/schema/shapes.ts'

/** What one address ends: mail of a kind, or all that the digest contains. */
export const UNSUBSCRIBE_KINDS = [...NOTIFICATION_KINDS, 'digest'] as const
export type UnsubscribeKind = (typeof UNSUBSCRIBE_KINDS)[number]

const tags = ['Notifications']
const params = Type.Object({
  token: Type.String({
    maxLength: 100,
    description: 'The secret of a user, from the headers and the last lines of their mails.',
  }),
})

export const UnsubscribeQuery = Strict(
  Type.Object({
    kind: Type.Optional(
      OneOf(UNSUBSCRIBE_KINDS, {
        description:
          'The kind of notifications that are no longer mailed. digest: all kinds that are mailed once a day. By default, all kinds.',
      }),
    ),
  }),
)
export type UnsubscribeQuery = Static<typeof UnsubscribeQuery>

const Unsubscribed = Named('Unsubscribed', {
  kinds: Type.Array(OneOf(NOTIFICATION_KINDS), {
    description: 'The kinds of notifications that are no longer mailed. The Inbox still has them.',
  }),
})
const example: Static<typeof Unsubscribed> = { kinds: ['deal_moved'] }
const notFound = ErrorPage('The token is that of no user.')

export const askToUnsubscribe = endpoint('GET', '/api/notifications/unsubscribe/:token', {
  operationId: 'askToUnsubscribe',
  'x-open': true,
  'x-secret-path': true,
  tags,
  summary: 'Show what unsubscribing would end',
  description:
    'The address in mails. Browsers get a page with a button. It changes nothing, because programs also open the links of mails.',
  params,
  querystring: UnsubscribeQuery,
  response: { 200: Data(Unsubscribed, example), 404: notFound },
})

export const unsubscribe = endpoint('POST', '/api/notifications/unsubscribe/:token', {
  operationId: 'unsubscribe',
  'x-open': true,
  'x-secret-path': true,
  tags,
  summary: 'Stop mail without signing in',
  description:
    'The one-click unsubscription of mail programs (RFC 8058). The body is ignored. Sets the kinds to `off`, as `PATCH /api/notifications/settings` does. Browsers get a page.',
  params,
  querystring: UnsubscribeQuery,
  response: { 200: Data(Unsubscribed, example), 404: notFound },
})
